"""Runs statements of ClickHouse in chdb: the folder of scripts, the file of functions and the statements are arguments."""

import json
import sys
import tempfile

from chdb import session

scripts, functions, statements = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    options = f"user_scripts_path={scripts}&user_defined_executable_functions_config={functions}"
    database = session.Session(f"{folder}/data?{options}")
    for statement in json.loads(statements):
        print(json.dumps(str(database.query(statement, "TSV"))), flush=True)
    database.close()
