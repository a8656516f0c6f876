-- SPDX-License-Identifier: GPL-3.0-or-later
-- What scripts call. Everything here waits in `host.call` and `host.join` only, so that another
-- process of the same script, which is given the same answers, goes the same way.

local host = ...
local crew = {}

local error, ipairs, pairs, pcall, select, tostring, type =
  error, ipairs, pairs, pcall, select, tostring, type
local concat, remove = table.concat, table.remove
local find, format, gsub, match, sub = string.find, string.format, string.gsub, string.match, string.sub
local floor, min = math.floor, math.min

local DEFAULT_LIMIT = 4
local JSON_CONTRACT = [[


Answer with JSON and nothing else, in one block between ```json and ```.]]
local JSON_AGAIN = [[


Your last answer held no JSON that can be read (%s). Give the whole answer again, as JSON in one
block between ```json and ```.]]
local REVIEW = [[
Review the work that was done so far for this goal: %s

Look for mistakes that matter: wrong results, lost data, holes, what the goal asks for and is not
there. Say nothing of taste. Change nothing.

Answer with JSON: {"findings": [{"file": "path", "line": 1, "problem": "one sentence"}]}, with an
empty list where you found nothing.]]
local MEND = [[
A review found these mistakes in the work that was done so far. Mend each of them, and nothing
else; where one is none, say why.

%s]]

-- Checks

local function expect (value, wanted, what, level)
  if type (value) ~= wanted then
    error (format ("%s has to be a %s, not a %s", what, wanted, type (value)), level + 1)
  end
end

local function call (what, options, level)
  local reply, problem = host.call (what, options)

  if reply == nil then
    error (host.blame (problem), level + 1)
  end

  return reply
end

-- Tasks

-- What a task builds on: results of other tasks, or their keys.
local function list_keys (after, level)
  local keys = {}

  if type (after) == "string" or after.key ~= nil then
    after = { after }
  end
  for i, task in ipairs (after) do
    keys[i] = type (task) == "table" and task.key or task
    expect (keys[i], "string", "what is in “after”", level + 1)
  end

  return keys
end

-- A strand builds on what it did last, unless it says something else.
local function do_task (what, options, level)
  local me = host.self ()
  local wish = {}
  local reply

  for name, value in pairs (options) do
    wish[name] = value
  end
  wish.after = options.after ~= nil and list_keys (options.after, level + 1) or me.after or {}
  wish.on_failure, wish.json = nil, nil
  reply = call (what, wish, level + 1)
  if reply.ok then
    me.after = { reply.key }
  end

  return reply
end

local function check_result (reply, options, level)
  if not reply.ok and options.on_failure ~= "return" then
    error (host.blame (format ("“%s” is %s: %s", reply.key, reply.status,
                               reply.message or "it says nothing more")), level + 1)
  end

  return reply
end

-- The last block that is fenced, else what stands between the outermost brackets.
local function find_json (text)
  local block

  for inner in string.gmatch (text, "```[%w]*%s*\n(.-)\n%s*```") do
    block = inner
  end
  if block == nil then
    block = match (text, "(%b{})%s*$") or match (text, "(%b[])%s*$") or match (text, "%b{}") or text
  end

  return host.decode (block)
end

local function with_text (options, text)
  local copy = {}

  for name, value in pairs (options) do
    copy[name] = value
  end
  copy.task = text

  return copy
end

-- An answer that cannot be read is asked for once more.
local function ask_for_json (options, level)
  local reply = check_result (do_task ("agent", with_text (options, options.task .. JSON_CONTRACT),
                                       level + 1), options, level + 1)
  local problem

  if not reply.ok then
    return reply
  end
  reply.json, problem = find_json (reply.text)
  if reply.json ~= nil then
    return reply
  end

  reply = check_result (do_task ("agent", with_text (options, options.task .. JSON_CONTRACT
                                                     .. format (JSON_AGAIN, problem)),
                                 level + 1), options, level + 1)
  if reply.ok then
    reply.json, problem = find_json (reply.text)
  end
  if reply.ok and reply.json == nil then
    error (host.blame (format ("“%s” gave no JSON that can be read: %s", reply.key, problem)), level + 1)
  end

  return reply
end

local function do_agent (options, level)
  local reply

  if options.json then
    reply = ask_for_json (options, level + 1)
  else
    reply = check_result (do_task ("agent", options, level + 1), options, level + 1)
  end

  return reply
end

-- No call here is the last thing that its function does: of such a one Lua forgets the line.

--- Has an agent do something and returns what came of it.
function crew.agent (options)
  local reply

  if type (options) == "string" then
    options = { task = options }
  end
  expect (options, "table", "what crew.agent is told", 2)
  expect (options.task, "string", "“task”", 2)
  reply = do_agent (options, 2)

  return reply
end

--- Runs a program in a tree of its own; that it fails is a result like another.
function crew.command (options)
  local reply

  expect (options, "table", "what crew.command is told", 2)
  if options.run == nil then
    options = { run = options }
  end
  expect (options.run, "table", "“run”", 2)
  reply = do_task ("command", options, 2)

  return reply
end

-- Side by side

local function join_ends (ends, n, base)
  local joined, seen = {}, {}

  for i = 1, n do
    for _, key in ipairs (ends[i] or {}) do
      if not seen[key] then
        seen[key] = true
        joined[#joined + 1] = key
      end
    end
  end

  return #joined > 0 and joined or base
end

local function start_more (state, list, fn)
  while state.failure == nil and state.open < state.limit and state.begun < #list do
    local id, strand

    state.begun = state.begun + 1
    id, strand = host.fork (function (i) return fn (list[i], i) end, state.begun)
    strand.after = state.base
    state.place[id] = state.begun
    state.open = state.open + 1
  end
end

local function take_one (state)
  local id, ok, value, strand = host.join ()
  local i = state.place[id]

  state.open = state.open - 1
  if not ok and (state.failure == nil or i < state.failure.i) then
    state.failure = { i = i, value = value }
  end
  state.results[i] = value
  if strand.after ~= state.base then
    state.ends[i] = strand.after
  end
end

local function fan_out (list, limit, fn)
  local me = host.self ()
  local state = {
    base = me.after, limit = limit, begun = 0, open = 0, place = {}, results = {}, ends = {},
  }

  repeat
    start_more (state, list, fn)
    if state.open > 0 then
      take_one (state)
    end
  until state.open == 0 and (state.begun == #list or state.failure ~= nil)

  if state.failure ~= nil then
    error (state.failure.value, 0)
  end
  me.after = join_ends (state.ends, #list, state.base)

  return state.results
end

--- Calls `fn (item, i)` for each item, at most `limit` at once; what comes after builds on all.
function crew.fan_out (list, limit, fn)
  if fn == nil then
    limit, fn = DEFAULT_LIMIT, limit
  end
  expect (list, "table", "the list of crew.fan_out", 2)
  expect (limit, "number", "the limit of crew.fan_out", 2)
  expect (fn, "function", "what crew.fan_out calls", 2)
  if limit < 1 then
    error ("the limit of crew.fan_out has to be 1 or more", 2)
  end

  return fan_out (list, limit, fn)
end

--- Takes each item through all stages, each as soon as it can: `stage (value, item, i)`.
function crew.pipeline (items, ...)
  local stages = { ... }
  local limit = DEFAULT_LIMIT

  expect (items, "table", "the items of crew.pipeline", 2)
  if type (stages[1]) == "number" then
    limit = remove (stages, 1)
  end
  for _, stage in ipairs (stages) do
    expect (stage, "function", "a stage of crew.pipeline", 2)
  end

  return fan_out (items, limit, function (item, i)
    local value = item

    for _, stage in ipairs (stages) do
      value = stage (value, item, i)
    end

    return value
  end)
end

--- Calls `fn (n, problem)` until it raises no error, at most `times`.
function crew.retry (times, fn)
  local problem

  expect (times, "number", "how often crew.retry tries", 2)
  expect (fn, "function", "what crew.retry calls", 2)
  for n = 1, times do
    local ok, value = pcall (fn, n, problem)

    if ok then
      return value
    end
    problem = value
    crew.log (format ("try %d of %d failed: %s", n, times, tostring (problem)))
  end

  error (problem, 0)
end

-- Review

local function describe (findings)
  local lines = {}

  for i, finding in ipairs (findings) do
    local place = finding.file and (tostring (finding.file) .. (finding.line and ":" .. tostring (finding.line) or ""))

    lines[i] = format ("- %s%s", place and place .. " – " or "", tostring (finding.problem or finding.text or ""))
  end

  return concat (lines, "\n")
end

--- Reviews what was done so far and has what is found mended, until nothing is found.
function crew.review (work, options)
  local findings = {}
  local rounds

  options = options or {}
  expect (options, "table", "the options of crew.review", 2)
  rounds = options.rounds or 3
  for round = 1, rounds do
    local review = do_agent ({
      role = options.role or "reviewer", agent = options.agent, name = "review",
      title = format ("Review, round %d", round), json = true, writes = false,
      task = options.task or format (REVIEW, crew.goal),
    }, 2)

    findings = type (review.json) == "table" and review.json.findings or {}
    if #findings == 0 then
      return { clean = true, rounds = round, findings = findings, work = work }
    end
    if round < rounds then
      work = do_agent ({
        role = options.mender or (work and work.role), name = "mend",
        title = format ("Mend what was found, round %d", round),
        task = format (MEND, describe (findings)),
      }, 2)
    end
  end

  return { clean = false, rounds = rounds, findings = findings, work = work }
end

-- The run and its person

--- Asks the person, and waits for the answer.
function crew.ask (text, options)
  expect (text, "string", "what crew.ask asks", 2)

  text = call ("ask", { text = text, options = options or {} }, 2)

  return text
end

--- Writes to a task, to “person”, or to “all”.
function crew.mail (to, text)
  expect (to, "string", "whom crew.mail writes to", 2)
  expect (text, "string", "what crew.mail writes", 2)

  call ("mail", { text = text, options = { to } }, 2)
end

--- Says which part of the script begins.
function crew.phase (title)
  expect (title, "string", "the title of crew.phase", 2)
  call ("phase", { title = title }, 2)
end

--- What was spent, and what may be.
function crew.budget ()
  local budget = call ("budget", {}, 2)

  return budget
end

--- The files of the project that are under version control, as far as they fit the pattern.
function crew.files (pattern)
  return call ("files", { pattern = pattern or "*" }, 2).files
end

--- Says something to whoever reads along.
function crew.log (...)
  local texts = {}

  for i = 1, select ("#", ...) do
    texts[i] = host.tostring ((select (i, ...)))
  end
  host.log (concat (texts, "\t"))
end

--- The result of the script: a text, or anything that JSON has.
function crew.set_result (value)
  local text, problem = value, nil

  if type (value) ~= "string" then
    text, problem = host.encode (value)
  end
  if text == nil then
    error (problem, 2)
  end
  host.set_result (text)
end

--- Seconds since 1970, by the run: when the answer came that the script goes on with.
function crew.now ()
  return host.now () / 1000000
end

--- Splits a list into `n` parts of nearly the same length, none of them empty.
function crew.shards (list, n)
  local parts = {}

  expect (list, "table", "the list of crew.shards", 2)
  expect (n, "number", "the number of crew.shards", 2)
  n = min (floor (n), #list)
  for i = 1, n do
    local part = {}

    for k = floor ((i - 1) * #list / n) + 1, floor (i * #list / n) do
      part[#part + 1] = list[k]
    end
    parts[i] = part
  end

  return parts
end

crew.json_encode = host.encode
crew.json_decode = host.decode
crew.vars = {}

-- In place of the sort of Lua, which divides long lists by the clock.
local function merge (list, from, middle, to, before)
  local left, right = {}, {}
  local l, r = 1, 1

  for i = from, middle do
    left[#left + 1] = list[i]
  end
  for i = middle + 1, to do
    right[#right + 1] = list[i]
  end
  for i = from, to do
    if r > #right or (l <= #left and not before (right[r], left[l])) then
      list[i], l = left[l], l + 1
    else
      list[i], r = right[r], r + 1
    end
  end
end

local function sort (list, from, to, before)
  local middle = floor ((from + to) / 2)

  if from >= to then
    return
  end
  sort (list, from, middle, before)
  sort (list, middle + 1, to, before)
  merge (list, from, middle, to, before)
end

function table.sort (list, before)
  expect (list, "table", "what table.sort sorts", 2)
  sort (list, 1, #list, before or function (a, b) return a < b end)
end

print = crew.log
_G.crew = crew

-- The script runs after it was told what it is for.
return function (script)
  local start = call ("start", {}, 0)

  for name, value in pairs (start) do
    crew[name] = value
  end

  return script ()
end
