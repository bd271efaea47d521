import { test as base, expect, type Page } from '@playwright/test';

class Harbour {
  constructor(readonly page: Page) {}

  async open(name: string) {
    await this.page.goto(`/h/${name}`);
    await expect(this.page.getByRole('table')).toBeVisible();
  }

  row(no: number) {
    return this.page.getByRole('row', { name: new RegExp(`^${no}\\b`) });
  }
}

export const test = base.extend<{ harbour: Harbour; frozen: void }>({
  harbour: async ({ page }, use) => {
    await page.route('**/api/harbours/**', (r) => r.fulfill({ path: 'e2e/data/berths.json' }));
    await use(new Harbour(page));
  },
  frozen: [async ({ page }, use) => {
    await page.clock.setFixedTime('2025-05-01T09:00:00Z');
    await use();
  }, { auto: true }],
});

export { expect };
