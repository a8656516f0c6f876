-- ---
-- # SPDX-License-Identifier: GPL-3.0-or-later
-- name: security-audit
-- description: Several agents look for security holes, each in its part of the files; others try to refute every finding; one report
-- team: review
-- ---
-- Arguments: pattern (which files, "*"), parts (how many agents look, 4), limit (at once, 4).

local pattern = crew.args.pattern or "*"
local n_parts = crew.args.parts or 4
local limit = crew.args.limit or 4

local LOOK = [[
Look for security holes in these files and in what they call. What an attacker can reach counts:
input from outside, paths, commands, memory, secrets, rights. What is only unusual does not.

What it is about: %s

Files:
%s

Answer with JSON: {"findings": [{"file": "path", "line": 1, "severity": "high|medium|low",
"problem": "what is wrong", "attack": "how it is used, step by step"}]}; an empty list is an answer.]]

local REFUTE = [[
Somebody claims that this is a security hole. Try to refute it: read the code, follow the input to
the place, look for checks on its way.

%s:%s (%s)
%s
How it is said to be used: %s

Answer with JSON: {"real": true or false, "reason": "one sentence", "repair": "how to close it"}]]

local files = crew.files (pattern)
if #files == 0 then
  error (("no file fits “%s”; give another pattern"):format (pattern), 0)
end

crew.phase "Look"
crew.log (#files, "files in", math.min (n_parts, #files), "parts")
local not_seen = {}
local parts = crew.fan_out (crew.shards (files, n_parts), limit, function (part, i)
  local ok, found = pcall (crew.agent, {
    role = "security-reviewer", name = "look-" .. i, title = ("Look at part %d"):format (i), json = true,
    task = LOOK:format (crew.goal, table.concat (part, "\n")),
  })

  -- One part that nobody could look at does not undo what the others found; the report says it.
  if not ok then
    crew.log (found)
    not_seen[#not_seen + 1] = table.concat (part, ", ")
    return {}
  end

  return found
end)
if #not_seen == #parts then
  error ("nobody could look at any of the files", 0)
end

-- Two who saw the same count once.
local findings, seen = {}, {}
for _, part in ipairs (parts) do
  for _, finding in ipairs (type (part.json) == "table" and part.json.findings or {}) do
    local place = tostring (finding.file) .. ":" .. tostring (finding.line)

    if not seen[place] then
      seen[place] = true
      findings[#findings + 1] = finding
    end
  end
end

crew.phase "Refute"
local verdicts = crew.fan_out (findings, limit, function (finding, i)
  local ok, verdict = pcall (crew.agent, {
    role = "verifier", name = "refute-" .. i, json = true, after = {}, writes = false,
    title = ("Refute %s:%s"):format (finding.file, finding.line),
    task = REFUTE:format (finding.file, finding.line, finding.severity, finding.problem, finding.attack),
  })

  -- What nobody refuted stands.
  if not ok then
    return { real = true, reason = "nobody could look at it again" }
  end

  return type (verdict.json) == "table" and verdict.json or {}
end)

local ORDER = { high = 1, medium = 2, low = 3 }
local real = {}
for i, verdict in ipairs (verdicts) do
  if verdict.real then
    local finding = findings[i]

    finding.reason, finding.repair = verdict.reason, verdict.repair
    real[#real + 1] = finding
  end
end
table.sort (real, function (a, b) return (ORDER[a.severity] or 4) < (ORDER[b.severity] or 4) end)

local lines = {
  "# Security audit", "",
  ("%d files, %d findings, of which %d held."):format (#files, #findings, #real),
}
if #not_seen > 0 then
  lines[#lines + 1] = "\nNobody could look at: " .. table.concat (not_seen, ", ") .. "."
end
for _, finding in ipairs (real) do
  lines[#lines + 1] = ("\n## %s:%s – %s\n\n%s\n\n- How: %s\n- Why it holds: %s\n- Repair: %s"):format (
    finding.file, finding.line, finding.severity, finding.problem, finding.attack,
    finding.reason or "–", finding.repair or "–")
end
crew.set_result (table.concat (lines, "\n"))
