"""The Pet Store as somebody writes it in Python with nothing but the standard library, to be checked by vouch.

python3 pets.py [defect]    prints its port, and ends when its standard input does
"""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

DEFECT = sys.argv[1] if len(sys.argv) > 1 else ""
STATUSES = ("available", "pending", "sold")
KEY = "demo-key"
INT64 = range(-(2**63), 2**63)

lock = threading.Lock()
pets = {number: {"id": number, "name": f"Pet {number}", "categoryId": number % 4 + 1, "status": STATUSES[number % 3]} for number in range(1, 31)}
messages = []


class Refused(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and value in INT64


def check_pet(body):
    if not isinstance(body, dict):
        raise Refused(400, "invalid_value", "The body must be an object.")
    for name in ("name", "categoryId"):
        if name not in body:
            raise Refused(400, "missing_field", f"The field {name} is required.")
    if not isinstance(body["name"], str):
        raise Refused(400, "invalid_value", "The field name must be a text.")
    if not is_integer(body["categoryId"]):
        raise Refused(400, "invalid_value", "The field categoryId must be an integer.")
    if "status" in body and body["status"] not in STATUSES and DEFECT != "takes-any-status":
        raise Refused(400, "invalid_value", f"The field status must be one of {', '.join(STATUSES)}.")


class Pets(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Pets/1"

    def do_GET(self):
        self.answer()

    def do_HEAD(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        # What is not read here would be taken for the next request.
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self.authorise()
            self.send(*self.route(body))
        except Refused as refused:
            self.send(refused.status, {"code": refused.code, "message": str(refused), "status": refused.status})

    def authorise(self):
        scheme, _, key = (self.headers.get("Authorization") or "").partition(" ")
        if scheme.lower() != "bearer" or (key.strip() != KEY if DEFECT != "takes-any-key" else key == ""):
            raise Refused(401, "unauthorized", "An API key is required.")

    def route(self, body):
        url = urlsplit(self.path)
        path = url.path.removeprefix("/v1")
        reads = self.command in ("GET", "HEAD")
        if path == "/pets" and reads:
            return self.list(parse_qs(url.query, keep_blank_values=True))
        if path == "/pets" and self.command == "POST":
            return self.create(body)
        if path.startswith("/pets/") and reads:
            return self.read(unquote(path.removeprefix("/pets/")))
        if path == "/store/orders" and reads:
            return 200, []
        if path == "/messages" and self.command == "POST":
            return self.message(body)
        if path in ("/pets", "/store/orders", "/messages") or path.startswith("/pets/"):
            raise Refused(405, "method", "This method is not for this path.")
        raise Refused(404, "not_found", "There is nothing here.")

    def list(self, query):
        limit, status = query.get("limit", ["20"])[-1], query.get("status", [None])[-1]
        if not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:9]) <= 100):
            raise Refused(400, "invalid_value", "limit must be from 1 to 100.")
        if status is not None and status not in STATUSES:
            raise Refused(400, "invalid_value", "status is none that there is.")
        with lock:
            found = [pet for pet in pets.values() if status is None or pet.get("status") == status or DEFECT == "passes-over-status"]
        return 200, found[: int(limit)]

    def create(self, body):
        pet = self.read_json(body)
        check_pet(pet)
        with lock:
            made = {"id": max(pets) + 1, **{name: pet[name] for name in ("name", "categoryId", "status") if name in pet}}
            pets[made["id"]] = made
        return 201, made

    def read(self, text):
        with lock:
            pet = pets.get(int(text)) if text.isascii() and text.isdigit() and len(text) < 20 else None
        if pet is None:
            raise Refused(404, "not_found", "No animal has this identifier.")
        return 200, pet

    def message(self, body):
        sent = self.read_json(body)
        if not isinstance(sent, dict) or not isinstance(sent.get("message"), str):
            raise Refused(400, "missing_field", "The field message is required.")
        with lock:
            messages.append(sent["message"])
            return 202, {"id": f"msg_{len(messages):04}", "message": sent["message"], "status": "queued", "createdAt": "2030-06-01T09:30:00Z"}

    def read_json(self, body):
        if (self.headers.get_content_type()) != "application/json":
            raise Refused(415, "media_type", "The body must be application/json.")
        try:
            return json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError):
            raise Refused(400, "invalid_json", "The body is not valid JSON.") from None

    def send(self, status, value):
        # What JSON can say and UTF-8 cannot, half a pair of surrogates, is escaped: json does that by itself.
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if status == 405:
            self.send_header("Allow", "GET, HEAD, POST" if urlsplit(self.path).path.endswith("/pets") else "POST" if "messages" in self.path else "GET, HEAD")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Pets)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
