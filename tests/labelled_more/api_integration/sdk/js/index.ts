export { Levels } from './levels';
export type { LevelsOptions, Station, Level } from './levels';
export { LevelsError, NotFound, RateLimited } from './errors';
export * as hooks from './hooks';
export const version = '1.4.0';
