import { type ClassValue, clsx } from 'clsx';

/** Joins class names. A `className` given to a primitive places it (margin, width, grid cell); it never restyles it. */
export const cn = (...classes: ClassValue[]): string => clsx(classes);
