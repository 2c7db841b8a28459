"""A headless Chromium, spoken to over a pipe in its debugging protocol. No other package is needed."""

import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    return None


class Browser:
    """with Browser(find()) as browser: browser.open(path); browser.evaluate("1 + 1")"""

    def __init__(self, program, width=1400, height=800):
        self.directory = tempfile.TemporaryDirectory(prefix="heddle-browser-", ignore_cleanup_errors=True)
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def place():  # the browser reads from 3 and writes to 4
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3), os.dup2(b, 4)

        words = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", f"--user-data-dir={self.directory.name}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=place)
        os.close(theirs_in), os.close(theirs_out)
        self.input, self.output, self.buffer, self.number, self.events, self.session = ours_in, ours_out, b"", 0, [], None

    def __enter__(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Performance", "Log"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        os.close(self.output)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        self.directory.cleanup()

    def message(self):
        while b"\0" not in self.buffer:
            got = os.read(self.input, 1 << 16)
            if not got:
                raise RuntimeError("the browser has ended")
            self.buffer += got
        one, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(one)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.output, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, path):
        """Returns the seconds until the page has been drawn."""
        self.events.clear()
        begin = time.monotonic()
        self.call("Page.navigate", url=f"file://{path}")
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return time.monotonic() - begin

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]

    def complaints(self):
        return [event["params"] for event in self.events if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]

    def key(self, key, text=None):
        text = key if text is None and len(key) == 1 else text
        extra = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def nodes(self):
        return self.evaluate("document.querySelectorAll('*').length")
