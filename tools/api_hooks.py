"""What schemathesis can't know: how to sign in, games and positions that exist, how PGN is sent, and that a search
without a limit takes as long as somebody listens."""

import os
import random

import requests
import schemathesis

POSITIONS = [
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "8/P5k1/8/8/8/8/6K1/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
]
PGN = "[White \"Anna\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3) 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n1. d4 z9 *\n"

chance = random.Random(1)
url = os.environ["RIGA_URL"]
client = requests.Session()
user = {"name": "Tester", "password": "correct horse battery"}
if os.environ["RIGA_MODE"] == "public":
    me = client.post(f"{url}/api/account", json=user)
else:
    client.post(f"{url}/api/users", json={"name": user["name"]}).raise_for_status()
    me = client.post(f"{url}/api/session", json={"name": user["name"]})
me.raise_for_status()
client.headers["x-csrf-token"] = me.json()["csrf"]
begun = client.post(f"{url}/api/games", json={"opponent": {"type": "friend"}})
begun.raise_for_status()
SIGNED_IN = {
    "cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items()),
    "x-csrf-token": client.headers["x-csrf-token"],
    "x-seat": begun.json()["seat"],
}
# These would end the session, which later requests need.
ENDINGS = {("DELETE", "/api/session"), ("PUT", "/api/account/password"), ("DELETE", "/api/users/{id}")}


def known(key, value):
    """A value that exists instead of one that was made up, most of the time."""
    if chance.random() < 0.7 and key in ("fen", "position") and not isinstance(value, dict):
        return chance.choice(POSITIONS)
    return value


@schemathesis.hook
def map_query(context, query):
    return {key: known(key, value) for key, value in query.items()} if query else query


@schemathesis.hook
def map_path_parameters(context, parameters):
    if not parameters or chance.random() < 0.3:
        return parameters
    of_user = context.operation.path.startswith("/api/users")
    return {**parameters, "id": me.json()["user"]["id"] if of_user else begun.json()["game"]["id"]}


@schemathesis.hook
def map_body(context, body):
    if context.operation.path in ("/api/pgn", "/api/games/import"):
        return PGN if chance.random() < 0.3 else body
    if not isinstance(body, dict):
        return body
    body = {key: known(key, value) for key, value in body.items()}
    if context.operation.path in ("/api/analysis", "/api/board/search"):
        limits = body.get("limits")
        if limits is None or isinstance(limits, dict):
            body["limits"] = {**(limits or {}), "depth": 1}
    return body


@schemathesis.hook
def before_call(context, case, kwargs):
    if chance.random() < 0.7 and (case.method.upper(), case.operation.path) not in ENDINGS:
        case.headers = {**(case.headers or {}), **SIGNED_IN}


@schemathesis.serializer("application/vnd.chess-pgn")
def pgn(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
