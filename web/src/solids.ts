// Shapes of a view as bodies in space.

import * as three from "three";
import { Shape } from "./data";
import { columns, number, numbers } from "./pictures";
import { vector } from "./scene";

const up = new three.Vector3(0, 0, 1), along = new three.Vector3(0, 1, 0);
// Scaled to what is wanted: thousands of shapes share them.
const ball = new three.SphereGeometry(1, 16, 12), cylinder = new three.CylinderGeometry(1, 1, 1, 10);
const shared = new Set<unknown>([ball, cylinder]);

export function rod(from: three.Vector3, to: three.Vector3, radius: number, material: three.Material): three.Object3D {
  const length = from.distanceTo(to), mesh = new three.Mesh(cylinder, material);
  mesh.scale.set(radius, Math.max(1e-9, length) || 1e-9, radius);
  if (length > 0) mesh.quaternion.setFromUnitVectors(along, to.clone().sub(from).normalize());
  mesh.position.copy(from).lerp(to, 0.5);
  return mesh;
}

export function clear(group: three.Group): void {
  for (const o of [...group.children]) {
    const { geometry } = o as three.Mesh;
    if (geometry && !shared.has(geometry)) geometry.dispose();
    group.remove(o);
  }
}

// `thin`: the unit of what has no size of its own.
export function solids(s: Shape, m: number, frame: Float32Array, thin: number, material: three.Material): three.Object3D[] {
  const where = (name: string) => vector(numbers(frame, s.parts[name], m));
  const get = (name: string, otherwise: number) => number(frame, s, name, m, otherwise);
  const finite = (v: three.Vector3) => [v.x, v.y, v.z].every(Number.isFinite);
  if (s.kind === "rod") {
    const from = where("from"), to = where("to");
    return finite(from) && finite(to) ? [rod(from, to, thin * get("width", 1), material)] : [];
  }
  const at = where("at");
  if (!finite(at)) return [];
  if (s.kind === "point") {
    const point = new three.Mesh(ball, material);
    point.scale.setScalar(2 * thin * get("size", 1));
    point.position.copy(at);
    return [point];
  }
  const heading = get("heading", 0), ahead = new three.Vector3(Math.cos(heading), Math.sin(heading), 0);
  if (s.kind === "wheel" || s.kind === "disc") {
    const axis = (s.parts.axis ? where("axis") : new three.Vector3(-ahead.y, ahead.x, 0)).normalize();
    const radius = get("radius", 1);
    const ring = new three.Mesh(new three.TorusGeometry(radius, 0.8 * thin, 8, 48), material);
    ring.quaternion.setFromUnitVectors(up, axis);
    ring.position.copy(at);
    const all: three.Object3D[] = [ring];
    if (s.parts.angle) {
      const spoke = spokeOf(axis, get("angle", 0)).multiplyScalar(radius);
      all.push(rod(at.clone().sub(spoke), at.clone().add(spoke), 0.5 * thin, material));
    }
    return all;
  }
  if (s.kind === "blade") {
    const half = ahead.multiplyScalar(get("length", 1) / 2);
    return [rod(at.clone().sub(half), at.clone().add(half), 1.2 * thin, material)];
  }
  const axes = ["x", "y", "z"].filter((a) => s.parts[a]).map(where);
  if (s.parts.axes) axes.splice(0, 3, ...columns(numbers(frame, s.parts.axes, m)).map(vector));
  if (axes.length === 2) axes.push(axes[0].clone().cross(axes[1]));
  if (!axes.length) axes.push(new three.Vector3(Math.cos(get("angle", 0)), Math.sin(get("angle", 0)), 0), up.clone());
  return axes.map((a, i) => rod(at, at.clone().add(a.normalize().multiplyScalar(get("size", 1))), (1.3 - 0.35 * i) * thin, material));
}

// The direction of an angle in the plane normal to an axis, from the horizontal in it.
function spokeOf(axis: three.Vector3, angle: number): three.Vector3 {
  let level = new three.Vector3().crossVectors(up, axis);
  if (level.lengthSq() < 1e-8) level = new three.Vector3(1, 0, 0);
  level.normalize();
  const other = new three.Vector3().crossVectors(axis, level);
  return level.multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
}
