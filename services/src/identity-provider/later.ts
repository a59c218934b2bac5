/** A form that cannot be processed for now: its page is shown again with the reason, and Retry-After. */
export class LaterError extends Error {
  readonly status: 429 | 503
  readonly seconds: number

  constructor(status: 429 | 503, seconds: number) {
    super(status === 503 ? 'Too many passwords wait to be hashed' : 'Too many forms from one network or link')
    this.status = status
    this.seconds = seconds
  }
}

/** The link from a mail was used too often. */
export class LinkLaterError extends LaterError {
  constructor(seconds: number) {
    super(429, seconds)
  }
}

/** More passwords are waiting than can be hashed within a few seconds. */
export class TooBusyError extends LaterError {
  constructor() {
    super(503, 3)
  }
}
