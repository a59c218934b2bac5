/** Maximum number of connections of each kind per process. */
export interface PoolSizes {
  /** Shared by the reads of all requests; 0: each read takes one of four connections of its own. */
  reads: number
  /** One per running command. */
  commands: number
  /** For statements that are their own transaction. */
  single: number
  /** For long reads, separate from everything a visitor waits for. */
  reports: number
  /** For statements of modules that the shop can do without, reads and writes each; 0: they take the way of all others, except the lines that reads share (decision 104). */
  optional: number
}

/** Of a process that serves visitors. */
export const optionalConnections = 2

/** Of the embedded identity provider, whose reads take one of four connections of their own. */
export const identitySizes = { commands: 6, single: 6, reports: 1 } as const
export const identityConnections = identitySizes.commands + identitySizes.single + identitySizes.reports + 4

/** For the process that executes documents of strangers: what they ask for waits behind visitors in the database, too. */
export function fewConnections({ reads, commands, single, reports, optional }: PoolSizes): PoolSizes {
  return {
    reads: Math.min(2, reads),
    commands: Math.min(2, commands),
    single: Math.min(2, single),
    reports: Math.min(1, reports),
    optional: Math.min(1, optional),
  }
}
