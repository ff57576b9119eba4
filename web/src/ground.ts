// The ground of pictures in space: a grid without end, which fades with the distance from where one looks.

import * as three from "three";
import { coarser } from "./paper";

const vertex = `
uniform float reach;
varying vec2 here;
void main() {
  here = position.xy * reach;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position * reach, 1.0);
}`;
// Lines are as wide as a pixel; where meshes are narrower than that, they give way to the mean.
const fragment = `
uniform float reach, mesh, wide;
uniform vec2 from, fromWide;
uniform vec3 paint;
varying vec2 here;
float lines(vec2 at, float every) {
  vec2 place = at / every, pixel = fwidth(place);
  vec2 line = 1.0 - min(abs(fract(place - 0.5) - 0.5) / pixel, 1.0);
  return max(line.x, line.y) * (1.0 - smoothstep(0.2, 0.6, max(pixel.x, pixel.y)));
}
void main() {
  float near = 1.0 - smoothstep(0.0, 1.0, length(here) / reach), fade = near * near;
  float seen = max(0.16 * lines(here + from, mesh), 0.3 * lines(here + fromWide, wide));
  gl_FragColor = vec4(paint, seen * fade);
}`;

export class Ground {
  readonly mesh: three.Mesh;
  private uniforms = {
    reach: { value: 1 }, mesh: { value: 1 }, wide: { value: 5 }, paint: { value: new three.Color() },
    from: { value: new three.Vector2() }, fromWide: { value: new three.Vector2() },
  };
  constructor(private height: number) {
    const material = new three.ShaderMaterial({
      uniforms: this.uniforms, vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false, side: three.DoubleSide,
    });
    this.mesh = new three.Mesh(new three.PlaneGeometry(2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
  }

  // NOTE: places count from the target, so that single precision suffices far from the origin.
  update(target: three.Vector3, reach: number, mesh: number, paint: string): void {
    const u = this.uniforms, wide = mesh * coarser(mesh);
    this.mesh.position.set(target.x, target.y, this.height);
    u.reach.value = reach;
    u.mesh.value = mesh;
    u.wide.value = wide;
    u.from.value.set(target.x % mesh, target.y % mesh);
    u.fromWide.value.set(target.x % wide, target.y % wide);
    u.paint.value.set(paint).convertLinearToSRGB(); // the shader's colours are shown as they are
  }
}
