import { pageFlag } from './flags.ts'

/** The design of the modals for professionals. Loaded only where a flag is set at all. */
export const isRevamped = (): boolean => pageFlag('suspectedProModalRevamp')
