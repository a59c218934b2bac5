/** How many connections of each kind a process holds at most. */
export interface PoolSizes {
  /** Shared by the reads of all requests; 0: a read takes a connection of its own, of four. */
  reads: number
  /** One per command under way. */
  commands: number
  /** Statements that are a transaction by themselves. */
  single: number
  /** Long reads, apart from everything a visitor waits for. */
  reports: number
}
