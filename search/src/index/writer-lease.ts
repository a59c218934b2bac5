import { SearchRequestError } from '../types.ts'

/**
 * Grants the right to write to a directory: one writer at a time, across all processes and machines that can reach it. The
 * package includes `fileLease` for one machine; a database or an object store can implement one for many.
 *
 * Safety does not depend on the lease alone. Each grant has a fencing token, the epoch, and everything a writer writes
 * goes to the directory of its own epoch (`epochs.ts`): a writer that was frozen while another took over can neither
 * commit nor confirm anything.
 */
export interface WriterLease {
  /**
   * Grants the lease, with an epoch above `above` and above every epoch granted before for this directory.
   * @throws WriterLeaseHeldError when a live writer holds it
   */
  acquire(request: LeaseRequest): Promise<HeldLease>
}

export interface LeaseRequest {
  /** Absolute or relative path of the engine's directory. */
  directory: string
  /** The highest epoch seen in the directory; 0 in an empty one. */
  above: number
}

export interface HeldLease {
  /** The fencing token: an integer from 1. */
  readonly epoch: number
  /** Aborted as soon as the holder learns that the lease has passed on. */
  readonly lost: AbortSignal
  /**
   * Called before every commit.
   * @throws WriterFencedError when the lease has passed to another writer
   */
  confirm(): Promise<void>
  /** Lets the next writer in at once. Does nothing if the lease was lost. */
  release(): Promise<void>
}

/** Another writer holds the lease and is alive. */
export class WriterLeaseHeldError extends Error {
  override name = 'WriterLeaseHeldError'
}

/** This writer has been replaced: its writes are refused (503 in the API). */
export class WriterFencedError extends SearchRequestError {
  override name = 'WriterFencedError'
  constructor(epoch: number) {
    super(`the writer of epoch ${epoch} has been replaced by another writer`, 503)
  }
}

/** Refuses a replaced writer before it confirms or commits anything. */
export interface Fence {
  readonly epoch: number
  /** Checks the directory. @throws WriterFencedError when a later epoch has started */
  check(): void
  /** Checks the directory and the lease. @throws WriterFencedError when this writer has been replaced */
  confirm(): Promise<void>
}
