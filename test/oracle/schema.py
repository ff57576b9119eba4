"""The JSON schema of model files against all models of the gallery, and against files that are wrong.

A validator of the few keywords that the schema uses: it shares no code with the program.
"""
import json
import os
import subprocess
import sys
import tomllib

program = os.environ["RATTLEBACK"]


def output(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


schema = json.loads(output("schema"))
types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}


def problems(value, rule, place="model"):
    known = {"$schema", "title", "type", "properties", "additionalProperties", "items", "anyOf", "description"}
    assert set(rule) <= known, set(rule) - known
    if "anyOf" in rule and all(problems(value, each, place) for each in rule["anyOf"]):
        return [f"{place}: none of the kinds it may have"]
    if "type" in rule and not isinstance(value, types[rule["type"]]):
        return [f"{place}: not of type {rule['type']}"]
    found = []
    if isinstance(value, dict):
        properties = rule.get("properties", {})
        for key, each in value.items():
            if key in properties:
                found += problems(each, properties[key], f"{place}.{key}")
            elif rule.get("additionalProperties", True) is False:
                found.append(f"{place}: unknown key {key}")
    if isinstance(value, list) and "items" in rule:
        for i, each in enumerate(value):
            found += problems(each, rule["items"], f"{place}[{i}]")
    return found


names = [m["name"] for m in json.loads(output("gallery", "--json"))["models"]]
assert len(names) > 30, len(names)
for name in names:
    found = problems(tomllib.loads(output("gallery", name)), schema)
    if found:
        sys.exit(f"{name}: {found}")

pendulum = output("gallery", "pendulum")
for wrong, place in [
    (pendulum.replace("[mechanics]", "[mechanic]"), "model: unknown key mechanic"),
    (pendulum.replace("kinetic  ", "kinetik  "), "model.mechanics: unknown key kinetik"),
    (pendulum.replace('coordinates = ["theta"]', 'coordinates = "theta"'), "model.coordinates: not of type array"),
]:
    found = problems(tomllib.loads(wrong), schema)
    if found != [place]:
        sys.exit(f"expected {place}, found {found}")
    if subprocess.run([program, "check", "/dev/stdin"], input=wrong, text=True, capture_output=True).returncode != 2:
        sys.exit("the program takes what the schema refuses")
print(f"{len(names)} models of the gallery fit the schema")
