export { Button } from './Button';
export type { ButtonProps } from './Button';
export { Sheet, useSheet } from './Sheet';
export { Contour } from './Contour';
export * from './tokens';
export * as icons from './icons';
