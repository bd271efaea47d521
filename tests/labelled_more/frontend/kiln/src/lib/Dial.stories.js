import Dial from './Dial.svelte';

export default {
  title: 'Kiln/Dial',
  component: Dial,
  argTypes: {
    value: { control: { type: 'range', min: 0, max: 1300 } },
    unit: { control: 'inline-radio', options: ['°C', '°F'] },
  },
};

export const Cold = { args: { value: 21 } };
export const Firing = { args: { value: 1060, target: 1180 } };
export const OffTheScale = { args: { value: 1900 } };
