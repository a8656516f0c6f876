-- ---
-- # SPDX-License-Identifier: GPL-3.0-or-later
-- name: until-clean
-- description: Does the work, then has it reviewed and mended until two reviewers find nothing
-- team: implementation
-- ---
-- Arguments: rounds (of review, 4), ask (whether you are asked when it does not become clean, true).

local rounds = crew.args.rounds or 4
local ask = crew.args.ask ~= false

crew.phase "Do it"
local work = crew.agent { role = "executor", name = "work", title = "Do it", task = crew.goal, checks = true }

crew.phase "Review"
local outcome = crew.review (work, { role = "reviewer", rounds = rounds })
local second

if outcome.clean then
  crew.phase "Second reviewer"
  second = crew.review (outcome.work, { role = "security-reviewer", rounds = 2 })
end

if second ~= nil and second.clean then
  crew.set_result (("Clean after %d rounds of review, and for a second reviewer after %d."):format (outcome.rounds, second.rounds))
  return
end

local left = {}
for i, finding in ipairs ((second or outcome).findings) do
  left[i] = ("- %s:%s %s"):format (tostring (finding.file), tostring (finding.line), tostring (finding.problem))
end
local said = "Not clean; this is left:\n" .. table.concat (left, "\n")

if ask and crew.ask (said .. "\n\nIs that good enough?", { "Yes", "No" }) ~= "Yes" then
  error (said, 0)
end
crew.set_result (said)
