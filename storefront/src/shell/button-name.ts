/** The accessible name of a button without text: of its own, or from elements of its page. */
export type ButtonName = { 'aria-label': string } | { 'aria-labelledby': string }
