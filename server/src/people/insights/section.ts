/** A table on the page of insights. */
export interface Section {
  title: string
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  empty: string
}
