import type { Meta, StoryObj } from "@storybook/react";

import { TreeCard } from "./TreeCard";

const meta = {
  title: "Orchard/TreeCard",
  component: TreeCard,
  args: { name: "Old Anna", variety: "Antonovka", plantedYear: 1961, onWater: async () => {} },
} satisfies Meta<typeof TreeCard>;

export default meta;
type Story = StoryObj<typeof meta>;

export const Healthy: Story = { args: { health: "good" } };
export const NeedsCare: Story = { args: { health: "poor" } };
export const LongName: Story = { args: { health: "watch", name: "The one behind the shed that leans to the left" } };
