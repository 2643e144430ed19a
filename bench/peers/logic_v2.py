"""Scores of OpenSanctions' logic-v2 for `bench/peers.ts`.

Reads lines of {"query", "candidate", "schema"}, writes for each {"score", "us"}: 0 to 1, and the
microseconds of the comparison alone. Needs `pip install nomenklatura`.
"""

import json
import sys
import time

from followthemoney import model
from nomenklatura.matching.logic_v2.model import LogicV2

CONFIG = LogicV2.default_config()
SCHEMATA = {"Person", "Company", "Organization", "LegalEntity", "Vessel", "Airplane"}


def party(name: str, schema: str, key: str):
    # What it reads of a party is kept by id: each name needs one of its own.
    kind = schema if schema in SCHEMATA else "LegalEntity"
    entity = model.make_entity(kind)
    entity.id = f"{key} {schema} {name}"
    entity.add("name", name)
    return entity


def compare(row: dict) -> dict:
    schema = row.get("schema") or "LegalEntity"
    query = party(row["query"], schema, "query")
    candidate = party(row["candidate"], schema, "candidate")
    begun = time.perf_counter()
    result = LogicV2.compare(query, candidate, CONFIG)
    return {"score": result.score, "us": (time.perf_counter() - begun) * 1e6}


def main() -> None:
    rows = [json.loads(line) for line in sys.stdin]
    for row in rows[:500]:
        compare(row)  # tables are loaded at first use
    for row in rows:
        print(json.dumps(compare(row)))


if __name__ == "__main__":
    main()
