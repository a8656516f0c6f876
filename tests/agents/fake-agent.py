#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripted agents: by the name that it is called by, this speaks as pi, claude, codex, gemini,
opencode or any agent of the Agent Client Protocol does, once or live, as its arguments say. A prompt
holds the name of a scenario in brackets, for instance [tools]."""
import json
import os
import re
import signal
import subprocess
import sys
import time

name = os.path.basename(sys.argv[0])
arguments = sys.argv[1:]
has = lambda *words: any(word in arguments for word in words)


def say(message):
    sys.stdout.write(json.dumps(message, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def hear():
    """The next message, or None when nobody says any more."""
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def forgets():
    """Whether it has lost its sessions."""
    return os.path.exists(os.path.join(os.environ["HOME"], "forgets"))


def keep_session(*folders):
    """The file by which others see that there is such a session."""
    path = os.path.join(os.environ["HOME"], *folders)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8"):
        pass


class Interrupted(Exception):
    pass


class Wire:
    """What every agent does, in its own words. USAGE is that of each model call."""

    live = False
    count = 0

    def begin(self): pass
    def turn(self, prompt): pass
    def heard(self, prompt): pass
    def thinking(self, text): pass
    def retry(self): pass
    def wait(self): pass

    def next_id(self):
        self.count += 1
        return f"id-{self.count}"


class Pi(Wire):
    live = has("rpc")

    def begin(self):
        if not self.live:
            say({"type": "session", "version": 3, "id": "s-1", "cwd": os.getcwd()})

    def turn(self, prompt):
        say({"type": "agent_start"})
        self.heard(prompt)

    def heard(self, prompt):
        say({"type": "message_end", "message": {"role": "user", "content": [{"type": "text", "text": prompt}]}})

    def message(self, content, stop="stop", **more):
        say({"type": "message_start", "message": {"role": "assistant", "content": []}})
        for index, part in enumerate(content):
            if part["type"] == "text":
                say({"type": "message_update", "assistantMessageEvent": {"type": "text_delta", "contentIndex": index, "delta": part["text"]}})
        say({"type": "message_end", "message": {
            "role": "assistant", "content": content, "stopReason": stop, "model": "m", "responseId": self.next_id(),
            "usage": {"input": 0, "output": 0} if stop in ("error", "aborted") else {"input": 100, "output": 10, "cost": {"total": 0.001}}, **more}})

    def text(self, text):
        self.message([{"type": "text", "text": text}])

    def tool(self, tool, command, output, code):
        call = self.next_id()
        say({"type": "tool_execution_start", "toolCallId": call, "toolName": "bash", "args": {"command": command}})
        say({"type": "tool_execution_end", "toolCallId": call, "toolName": "bash", "isError": code != 0, "durationMs": 3,
             "result": {"content": [{"type": "text", "text": output}], "structuredContent": {"exit_code": code}}})

    def retry(self):
        self.message([], "error", errorMessage="429: slow down")
        say({"type": "agent_end", "messages": [], "willRetry": True})
        say({"type": "auto_retry_start", "attempt": 1, "maxAttempts": 2, "delayMs": 1, "errorMessage": "429: slow down"})
        say({"type": "agent_start"})

    def ask(self, command):
        say({"type": "extension_ui_request", "id": "ask-0", "method": "confirm", "title": command, "message": "May it?"})
        while True:
            message = listen()
            if message["type"] == "extension_ui_response" and not message.get("cancelled"):
                return message["confirmed"]

    def done(self):
        say({"type": "agent_end", "messages": [], "willRetry": False})
        say({"type": "agent_settled", "aborted": False})

    def fail(self):
        self.message([], "error", errorMessage="401: no such key")
        self.done()

    def interrupted(self):
        self.message([], "aborted")
        say({"type": "agent_settled", "aborted": True})

    def handle(self, message):
        answer = {"type": "response", "id": message.get("id"), "command": message["type"], "success": True}
        if message["type"] == "get_state":
            answer["data"] = {"sessionId": "s-1", "model": {"id": "m"}}
        if message["type"] != "extension_ui_response":
            say(answer)
        if message["type"] == "prompt":
            return message["message"]
        if message["type"] == "abort":
            raise Interrupted
        return None


class Claude(Wire):
    live = has("--input-format")
    total = 0
    heard = 0

    def turn(self, prompt):
        say({"type": "system", "subtype": "init", "session_id": "s-1", "model": "m", "cwd": os.getcwd(), "permissionMode": "default"})
        self.heard(prompt)

    def heard(self, prompt):
        if self.live:
            say({"type": "user", "isReplay": True, "message": {"role": "user", "content": [{"type": "text", "text": prompt}]}})

    def block(self, block):
        say({"type": "assistant", "parent_tool_use_id": None, "message": {"id": self.next_id(), "model": "m", "content": [block], "usage": {"input_tokens": 100, "output_tokens": 1}}})

    def text(self, text):
        self.total += 1
        self.last = text
        self.block({"type": "text", "text": text})

    def tool(self, tool, command, output, code):
        call = self.next_id()
        self.block({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}})
        text = output if code == 0 else f"Exit code {code}\n{output}"
        say({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": call, "content": text, "is_error": code != 0}]}})

    def retry(self):
        say({"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 2, "error_status": 429, "error": "rate_limit"})

    def ask(self, command):
        say({"type": "control_request", "request_id": "ask-0", "request": {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": command}, "tool_use_id": "t-9", "permission_suggestions": [
            {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "make"}], "behavior": "allow", "destination": "localSettings"}]}})
        while True:
            try:
                message = listen()
            except Interrupted:
                say({"type": "control_cancel_request", "request_id": "ask-0"})
                raise
            if message["type"] == "control_response":
                return message["response"]["response"]["behavior"] == "allow"

    def result(self, **more):
        say({"duration_ms": 1, "type": "result", "session_id": "s-1", "num_turns": 1, "total_cost_usd": self.total / 1000,
             "modelUsage": {"m": {"inputTokens": 100 * self.total, "outputTokens": 10 * self.total}}, **more})

    def done(self):
        self.result(subtype="success", is_error=False, result=self.last, stop_reason="end_turn", terminal_reason="completed")

    def fail(self):
        say({"type": "assistant", "message": {"id": "x", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: 401 no such key"}]}})
        self.result(subtype="success", is_error=True, result="API Error: 401 no such key", api_error_status=401, terminal_reason="api_error")

    def interrupted(self):
        self.result(subtype="error_during_execution", is_error=True, errors=[], terminal_reason="aborted_streaming")

    def handle(self, message):
        if message["type"] == "user":
            say({"type": "command_lifecycle", "command_uuid": message["uuid"], "state": "started"})
            return message["message"]["content"][0]["text"]
        if message["type"] == "control_request":
            say({"type": "control_response", "response": {"subtype": "success", "request_id": message["request_id"], "response": {"models": [{"value": "m", "displayName": "M"}]}}})
            if message["request"]["subtype"] == "interrupt":
                raise Interrupted
        return None


class Codex(Wire):
    live = has("app-server")
    total = 0

    def event(self, kind, item):
        if self.live:
            say({"method": f"item/{kind}", "params": {"item": item, "threadId": "s-1", "turnId": "turn-1"}})
        else:
            say({"type": f"item.{kind}", "item": item})

    def begin(self):
        if not self.live:
            say({"type": "thread.started", "thread_id": "s-1"})

    def heard(self, prompt):
        self.event("completed", {"id": self.next_id(), "type": "userMessage", "content": [{"type": "text", "text": prompt}]})

    def turn(self, prompt):
        if self.live:
            say({"method": "turn/started", "params": {"threadId": "s-1", "turn": {"id": "turn-1", "status": "inProgress"}}})
        else:
            say({"type": "turn.started"})

    def text(self, text):
        self.total += 1
        item = {"id": self.next_id(), "type": "agentMessage" if self.live else "agent_message", "text": text}
        if self.live:
            say({"method": "item/agentMessage/delta", "params": {"threadId": "s-1", "itemId": item["id"], "delta": text}})
        self.event("completed", item)
        if self.live:
            say({"method": "thread/tokenUsage/updated", "params": {"threadId": "s-1", "tokenUsage": {"total": {"inputTokens": 100 * self.total, "outputTokens": 10 * self.total, "cachedInputTokens": 0}}}})

    def tool(self, tool, command, output, code):
        item = {"id": self.next_id(), "type": "commandExecution" if self.live else "command_execution", "command": command, "status": "inProgress"}
        self.event("started", item)
        item.update({"status": "completed" if code == 0 else "failed"})
        item.update({"aggregatedOutput": output, "exitCode": code} if self.live else {"aggregated_output": output, "exit_code": code})
        self.event("completed", item)

    def retry(self):
        if self.live:
            say({"method": "error", "params": {"threadId": "s-1", "willRetry": True, "error": {"message": "Reconnecting... 1/2"}}})
        else:
            say({"type": "error", "message": "Reconnecting... 1/2"})

    def ask(self, command):
        say({"method": "item/commandExecution/requestApproval", "id": 0, "params": {"itemId": "c-9", "command": command, "availableDecisions": ["accept", "decline", "cancel"]}})
        while True:
            message = listen()
            if message.get("id") == 0 and "result" in message:
                if message["result"]["decision"] == "cancel":
                    raise Interrupted
                return message["result"]["decision"] == "accept"

    def end(self, status, error=None):
        say({"method": "turn/completed", "params": {"threadId": "s-1", "turn": {"id": "turn-1", "status": status, "error": error}}})

    def done(self):
        if self.live:
            self.end("completed")
        else:
            say({"type": "turn.completed", "usage": {"input_tokens": 100 * self.total, "cached_input_tokens": 0, "output_tokens": 10 * self.total}})

    def fail(self):
        error = {"message": "unexpected status 401 Unauthorized: no such key"}
        if self.live:
            say({"method": "error", "params": {"threadId": "s-1", "willRetry": False, "error": error}})
            self.end("failed", error)
        else:
            say({"type": "error", **error})
            say({"type": "turn.failed", "error": error})

    def interrupted(self):
        self.end("interrupted")

    def handle(self, message):
        method = message.get("method")
        if method == "initialize":
            say({"id": message["id"], "result": {"userAgent": "fake"}})
        elif method == "thread/resume" and forgets():
            say({"id": message["id"], "error": {"code": -32600, "message": "no rollout found for thread id s-1"}})
        elif method in ("thread/start", "thread/resume"):
            # Totals are those of the thread, what it used before included.
            self.total = 1 if method == "thread/resume" else 0
            say({"id": message["id"], "result": {"thread": {"id": "s-1"}, "model": "m"}})
        elif method == "turn/start":
            say({"id": message["id"], "result": {"turn": {"id": "turn-1", "status": "inProgress"}}})
            return message["params"]["input"][0]["text"]
        elif method == "turn/steer":
            say({"id": message["id"], "result": {"turnId": "turn-1"}})
            return message["params"]["input"][0]["text"]
        elif method == "turn/interrupt":
            say({"id": message["id"], "result": {}})
            raise Interrupted
        return None


class Gemini(Wire):
    total = 0

    def begin(self):
        say({"type": "init", "session_id": "s-1", "model": "m"})

    def turn(self, prompt):
        say({"type": "message", "role": "user", "content": prompt})

    def text(self, text):
        self.total += 1
        for piece in (text[:2], text[2:]):
            say({"type": "message", "role": "assistant", "content": piece, "delta": True})

    def tool(self, tool, command, output, code):
        call = self.next_id()
        say({"type": "tool_use", "tool_name": "run_shell_command", "tool_id": call, "parameters": {"command": command}})
        say({"type": "tool_result", "tool_id": call, "status": "success" if code == 0 else "error", "output": output})

    def result(self, status, **more):
        total = self.total
        say({"type": "result", "status": status, "stats": {"total_tokens": 110 * total, "input_tokens": 100 * total, "output_tokens": 10 * total, "cached": 0, "input": 100 * total}, **more})

    def done(self):
        self.result("success")

    def fail(self):
        self.result("error", error={"type": "unknown", "message": '[API Error: {"error":{"code":401,"message":"no such key"}}]'})


class Opencode(Wire):
    def event(self, kind, **part):
        say({"type": kind, "timestamp": 1, "sessionID": "s-1", "part": {"id": self.next_id(), "messageID": f"m-{self.step}", **part}})

    step = 0

    def text(self, text):
        self.step += 1
        self.event("step_start", type="step-start")
        self.event("text", type="text", text=text)
        self.pending = True

    def finish(self, reason):
        self.event("step_finish", type="step-finish", reason=reason, cost=0.001,
                   tokens={"input": 100, "output": 10, "reasoning": 0, "cache": {"read": 0, "write": 0}})

    def tool(self, tool, command, output, code):
        self.event("tool_use", type="tool", tool="bash", callID=self.next_id(), state={
            "status": "completed" if code == 0 else "error", "input": {"command": command}, "output": output, "error": output, "metadata": {"exit": code}, "time": {"start": 1, "end": 4}})

    def done(self):
        self.finish("stop")

    def fail(self):
        say({"type": "error", "sessionID": "s-1", "error": {"name": "APIError", "data": {"message": "no such key", "statusCode": 401}}})


class Acp(Wire):
    live = True
    prompt_id = None
    total = 0

    def update(self, what, **more):
        say({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s-1", "update": {"sessionUpdate": what, **more}}})

    def text(self, text):
        self.total += 1
        for piece in (text[:2], text[2:]):
            self.update("agent_message_chunk", content={"type": "text", "text": piece})

    def tool(self, tool, command, output, code):
        call = self.next_id()
        self.update("tool_call", toolCallId=call, title=command, kind="execute", status="pending", rawInput={"command": command})
        self.update("tool_call_update", toolCallId=call, status="completed" if code == 0 else "failed",
                    content=[{"type": "content", "content": {"type": "text", "text": output}}])

    def ask(self, command):
        say({"jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": {"sessionId": "s-1", "toolCall": {"toolCallId": "c-9", "title": command}, "options": [
            {"optionId": "yes", "name": "Allow", "kind": "allow_once"}, {"optionId": "no", "name": "Deny", "kind": "reject_once"}]}})
        while True:
            message = listen()
            if message.get("id") == 0 and message["result"]["outcome"]["outcome"] == "selected":
                return message["result"]["outcome"]["optionId"] == "yes"

    def answer(self, **result):
        say({"jsonrpc": "2.0", "id": self.prompt_id, **result})

    def done(self):
        self.answer(result={"stopReason": "end_turn", "usage": {"inputTokens": 100 * self.total, "outputTokens": 10 * self.total}})
        self.total = 0

    def fail(self):
        self.answer(error={"code": -32000, "message": "no such key"})

    def interrupted(self):
        self.answer(result={"stopReason": "cancelled"})

    def handle(self, message):
        method = message.get("method")
        answer = None
        if method == "initialize":
            answer = {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}}
        elif method == "session/load" and forgets():
            say({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32002, "message": "No such session"}})
        elif method in ("session/new", "session/load"):
            if method == "session/load":
                self.text("What I said before.")
                self.total = 0
            answer = {"sessionId": "s-1", "modes": {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}}
        elif method == "session/set_mode":
            self.update("current_mode_update", currentModeId=message["params"]["modeId"])
            answer = {}
        elif method == "session/cancel":
            raise Interrupted
        elif method == "session/prompt":
            self.next_prompt = message["id"]
            return message["params"]["prompt"][0]["text"]
        if answer is not None:
            say({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        return None

    def turn(self, prompt):
        self.prompt_id = self.next_prompt


def wire():
    if name in ("gemini", "opencode") and not has("--acp", "acp"):
        return Gemini() if name == "gemini" else Opencode()
    return {"pi": Pi, "claude": Claude, "codex": Codex}.get(name, Acp)()


agent = wire()
queue = []


def listen():
    """Hears one message; a prompt goes into the queue."""
    message = hear()
    if message is None:
        sys.exit(0)
    prompt = agent.handle(message)
    if prompt is not None:
        queue.append(prompt)
    return message


def step():
    """Opencode tells what a step used when the next one begins."""
    if isinstance(agent, Opencode):
        agent.finish("tool-calls")


def play(scenario):
    if scenario == "answer":
        agent.text("Hello.")
    elif scenario == "tools":
        agent.text("I look.")
        agent.tool("shell", "make check", "two failed\n", 2)
        agent.tool("shell", "make fix", "fixed\n", 0)
        step()
        agent.text("Done.")
    elif scenario == "retry":
        agent.retry()
        agent.text("Back.")
    elif scenario == "ask":
        agent.text("I ask.")
        allowed = agent.ask("make install")
        if allowed:
            agent.tool("shell", "make install", "ok\n", 0)
        agent.text("Allowed." if allowed else "Denied.")
    elif scenario == "slow":
        agent.text("I work.")
        while not queue:
            listen()
        agent.heard(queue.pop(0))
        agent.text("Steered.")
    elif scenario == "brief":
        agent.text("I work.")
    elif scenario == "steered":
        agent.text("Steered.")
    elif scenario == "fail":
        agent.fail()
        return
    elif scenario == "crash":
        agent.text("I begin.")
        sys.exit(3)
    elif scenario == "hang":
        if name == "pi":
            keep_session(".pi", "agent", "sessions", "--tree--", "now_s-1.jsonl")
        if name == "claude":
            keep_session(".claude", "projects", "tree", "s-1.jsonl")
        agent.text("I begin.")
        while True:
            listen() if agent.live else signal.pause()
    elif scenario == "alone":
        # Fails if another one is at it.
        lock = os.path.join(os.environ["HOME"], "alone")
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
        time.sleep(0.1)
        os.unlink(lock)
        agent.text("I was alone.")
    elif scenario == "again":
        agent.text("I go on.")
    elif scenario == "stays":
        stay()
        return
    agent.done()


def stay():
    """Ends its turn and never itself: deaf to requests, with a child that holds its output."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    subprocess.Popen(["sleep", "1000"])
    agent.text("I stay.")
    agent.done()
    while True:
        signal.pause()


def work(prompt):
    agent.turn(prompt)
    try:
        play("again" if "the same conversation" in prompt else re.search(r"\[(\w+)\]", prompt).group(1))
    except Interrupted:
        agent.interrupted()


agent.begin()
if agent.live:
    while True:
        while not queue:
            try:
                listen()
            except Interrupted:
                pass
        work(queue.pop(0))
else:
    work(sys.stdin.read())
