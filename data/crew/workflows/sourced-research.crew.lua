-- ---
-- # SPDX-License-Identifier: GPL-3.0-or-later
-- name: sourced-research
-- description: Splits a question, has each part answered with its sources, has these looked up by others, and writes one report
-- team: research
-- ---
-- Arguments: parts (at most so many questions, 5), limit (at once, 3).

local most = crew.args.parts or 5
local limit = crew.args.limit or 3

crew.phase "Split"
local split = crew.agent {
  role = "analyst", name = "split", title = "Split the question", json = true, writes = false,
  task = ("Split this question into at most %d parts that can be answered apart from each other and together "
          .. "answer it: %s\n\nAnswer with JSON: {\"questions\": [\"…\"]}"):format (most, crew.goal),
}

local questions = {}
for i, question in ipairs (type (split.json) == "table" and split.json.questions or {}) do
  if i <= most then
    questions[i] = tostring (question)
  end
end
if #questions == 0 then
  questions = { crew.goal }
end

local FIND = [[
%s

Answer it from what you can read: the project first, then what you know how to reach. Every
statement needs a source that somebody else can look up: a file with its line, a command with what
it prints, or an address. Without a source it is left out.

Answer with JSON: {"statements": [{"text": "one sentence", "source": "where"}], "open": ["what could not be found out"]}]]

local LOOK_UP = [[
Look each of these sources up and say whether it says what it is said to say. Do not guess: what you
cannot look up is not confirmed.

%s

Answer with JSON: {"confirmed": [numbers of those that hold]}]]

crew.phase "Find and look up"
local parts = crew.pipeline (questions, limit,
  function (question, _, i)
    local ok, found = pcall (crew.agent, {
      role = "explorer", name = "find-" .. i, title = question, json = true, after = {},
      task = FIND:format (question),
    })

    return ok and found.json or { open = { "nobody could look for an answer" } }
  end,
  function (found, question, i)
    local statements = type (found) == "table" and found.statements or {}
    local lines, kept = {}, {}
    local looked

    for k, statement in ipairs (statements) do
      lines[k] = ("%d. %s – %s"):format (k, statement.text, statement.source)
    end
    if #lines == 0 then
      return { question = question, statements = {}, open = found and found.open or {}, n = 0 }
    end

    local _, answer = pcall (crew.agent, {
      role = "explorer", name = "look-up-" .. i, title = "Look up: " .. question, json = true, after = {},
      task = LOOK_UP:format (table.concat (lines, "\n")),
    })

    -- What nobody could look up is not used.
    looked = type (answer) == "table" and answer.json or {}
    for _, k in ipairs (type (looked) == "table" and looked.confirmed or {}) do
      kept[#kept + 1] = statements[k]
    end

    return { question = question, statements = kept, open = found.open or {}, n = #statements }
  end)

crew.phase "Write"
local material, n_kept, n_all = {}, 0, 0
for _, part in ipairs (parts) do
  material[#material + 1] = "\n## " .. part.question
  for _, statement in ipairs (part.statements) do
    material[#material + 1] = ("- %s [%s]"):format (statement.text, statement.source)
  end
  for _, open in ipairs (part.open) do
    material[#material + 1] = "- open: " .. tostring (open)
  end
  n_kept, n_all = n_kept + #part.statements, n_all + part.n
end
crew.log (n_kept, "of", n_all, "statements were confirmed")

local report = crew.agent {
  role = "writer", name = "report", title = "Write the report", after = {}, writes = false,
  task = ("Answer this question in a report of one or two pages: %s\n\nUse only these statements, each with its "
          .. "source in brackets, and say what stayed open. Change no file.\n%s"):format (crew.goal, table.concat (material, "\n")),
}
crew.set_result (report.text)
