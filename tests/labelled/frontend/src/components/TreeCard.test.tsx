import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { TreeCard } from "./TreeCard";

const tree = { name: "Old Anna", variety: "Antonovka", plantedYear: 1961, health: "watch" as const };

describe("TreeCard", () => {
  it("shows name and variety", () => {
    render(<TreeCard {...tree} onWater={vi.fn()} />);
    expect(screen.getByRole("heading", { name: "Old Anna" })).toBeInTheDocument();
    expect(screen.getByText(/Antonovka/)).toBeInTheDocument();
  });

  it("cannot be watered twice at once", async () => {
    const onWater = vi.fn(() => new Promise<void>(() => {}));
    render(<TreeCard {...tree} onWater={onWater} />);
    await userEvent.click(screen.getByRole("button"));
    await userEvent.click(screen.getByRole("button"));
    expect(onWater).toHaveBeenCalledTimes(1);
  });
});
