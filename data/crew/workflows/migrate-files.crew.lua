-- ---
-- # SPDX-License-Identifier: GPL-3.0-or-later
-- name: migrate-files
-- description: Makes the same change in many files, one agent a file, each checked by itself, then all together
-- team: implementation
-- ---
-- Arguments: pattern (which files; asked for if it is not given), limit (at once, 4), tries (for each file, 2),
-- sample (first only so many, for a look; 0 for all).

local pattern = crew.args.pattern or crew.ask ("In which files? Say a pattern, such as src/*.js")
local limit = crew.args.limit or 4
local tries = crew.args.tries or 2
local sample = crew.args.sample or 0

local files = crew.files (pattern)
if #files == 0 then
  error (("no file fits “%s”"):format (pattern), 0)
end

-- One file by hand-picked care first: what is learned there is told to all.
crew.phase "First file"
local first = crew.agent {
  role = "executor", name = "first", title = "First: " .. files[1], paths = { files[1] }, checks = true,
  task = ("%s\n\nDo this in the file %s, and only there. Then describe in ten lines how it is done right, "
          .. "with what is easily overlooked: others do the same in other files by your description.")
         :format (crew.goal, files[1]),
}

if sample > 0 then
  local answer = crew.ask (("The first file, %s, is done. Go on with %d more?"):format (files[1], math.min (sample, #files) - 1),
                           { "Go on", "Stop here" })

  if answer == "Stop here" then
    crew.set_result ("Stopped after " .. files[1])
    return
  end
end

local rest = {}
for i = 2, sample > 0 and math.min (sample, #files) or #files do
  rest[#rest + 1] = files[i]
end

crew.phase "All files"
local failed = {}
local done = crew.fan_out (rest, limit, function (file)
  local ok, value = pcall (crew.retry, tries, function (n, problem)
    return crew.agent {
      role = "executor", name = file, title = file, paths = { file }, checks = true,
      task = ("%s\n\nDo this in the file %s, and only there. It was done in %s before; this is how:\n\n%s%s")
             :format (crew.goal, file, files[1], first.text,
                      n > 1 and "\n\nThe last try failed: " .. tostring (problem) or ""),
    }
  end)

  if not ok then
    failed[#failed + 1] = file .. ": " .. tostring (value)
  end

  return ok
end)

crew.phase "Together"
local review = crew.agent {
  role = "reviewer", name = "together", title = "Look at all of it",
  task = ("The change “%s” was made in %d files. Compare them: where was it done differently, where was it "
          .. "forgotten, what that belongs to it was not touched? Change nothing."):format (crew.goal, #rest + 1 - #failed),
}

local n = 1
for _, ok in ipairs (done) do
  n = n + (ok and 1 or 0)
end
crew.set_result (("%d of %d files were changed.%s\n\n%s"):format (
  n, #rest + 1, #failed > 0 and "\n\nNot changed:\n- " .. table.concat (failed, "\n- ") or "", review.text))
