defmodule Tally.RegressTest do
  use ExUnit.Case, async: true

  alias Tally.Window

  # came in from the field: five points asked of a window of four
  test "median of a window shorter than the span" do
    assert Window.median([1, 9, 4, 2], 5) == 3.0
  end

  test "empty window" do
    assert Window.median([], 5) == nil
  end

  for n <- 1..6 do
    test "span #{n} never raises" do
      assert is_number(Window.median([3, 3, 3], unquote(n)))
    end
  end
end
