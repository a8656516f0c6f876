-- ---
-- # SPDX-License-Identifier: GPL-3.0-or-later
-- name: flaky-tests
-- description: Runs the tests many times, finds those that fail only sometimes, has their cause found and repaired, and proves it
-- team: implementation
-- ---
-- Arguments: command (the tests, a list of words; asked for if it is not given), times (20), limit (at once, 4),
-- rounds (of repair, 3).

local command = crew.args.command or crew.ask ("How are the tests run? Say the command, such as make test")
local times = crew.args.times or 20
local limit = crew.args.limit or 4
local rounds = crew.args.rounds or 3

if type (command) == "string" then
  local words = {}

  for word in command:gmatch ("%S+") do
    words[#words + 1] = word
  end
  command = words
end

local function run_many (round)
  local list, failures = {}, {}

  for i = 1, times do
    list[i] = i
  end
  crew.fan_out (list, limit, function (i)
    local result = crew.command {
      run = command, name = ("run-%d"):format (round), title = ("Round %d, run %d"):format (round, i), retries = 0,
    }

    if not result.ok then
      failures[#failures + 1] = result.text ~= "" and result.text or result.message or "it failed"
    end
  end)

  return failures
end

local function describe (failures)
  local texts = {}

  for i = 1, math.min (#failures, 3) do
    texts[i] = ("### Failure %d\n\n```\n%s\n```"):format (i, failures[i]:sub (-6000))
  end

  return table.concat (texts, "\n\n")
end

for round = 1, rounds + 1 do
  crew.phase (round == 1 and "Run the tests" or ("Prove repair %d"):format (round - 1))

  local failures = run_many (round)
  crew.log (#failures, "of", times, "runs failed")
  if #failures == 0 then
    crew.set_result (round == 1 and ("All %d runs passed; nothing is flaky."):format (times)
                     or ("After %d repairs all %d runs passed."):format (round - 1, times))
    return
  end
  if #failures == times and round == 1 then
    error ("every run fails: these tests are broken, not flaky; repair them first", 0)
  end
  if round > rounds then
    error (("after %d repairs still %d of %d runs fail"):format (rounds, #failures, times), 0)
  end

  crew.phase (("Repair %d"):format (round))
  crew.agent {
    role = "test-engineer", name = "repair", title = ("Find and repair the cause, round %d"):format (round),
    task = ("%s\n\nThese tests fail sometimes: `%s` failed in %d of %d runs. Find the cause: what differs from run to "
            .. "run? Repair the cause; a longer wait, a retry or a skipped test is none.\n\n%s")
           :format (crew.goal, table.concat (command, " "), #failures, times, describe (failures)),
  }
end
