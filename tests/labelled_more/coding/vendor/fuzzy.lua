-- fuzzy.lua 1.3.0, vendored, do not edit
-- upstream: https://git.example.org/lua/fuzzy (MIT)

local M = { _VERSION = "1.3.0" }

local min = math.min

function M.distance(a, b)
  if a == b then return 0 end
  local la, lb = #a, #b
  if la == 0 then return lb end
  if lb == 0 then return la end
  local prev, cur = {}, {}
  for j = 0, lb do prev[j] = j end
  for i = 1, la do
    cur[0] = i
    local ai = a:byte(i)
    for j = 1, lb do
      local cost = ai == b:byte(j) and 0 or 1
      cur[j] = min(cur[j - 1] + 1, prev[j] + 1, prev[j - 1] + cost)
    end
    prev, cur = cur, prev
  end
  return prev[lb]
end

function M.ratio(a, b)
  local n = math.max(#a, #b)
  return n == 0 and 1 or 1 - M.distance(a, b) / n
end

return M
