/** Visitors of a variation and how many of them did what is counted. */
export interface Counted {
  visitors: number
  reached: number
}

export interface Effect {
  /** Of the variation's share over the control's, in points from -1 to 1. */
  difference: number
  low: number
  high: number
}

/** Tightest at about this many visitors; valid at any number. */
const tunedFor = 20_000

/**
 * The difference of two shares with a confidence sequence (asymptotic, Waudby-Smith et al. 2021), of 95 % unless `alpha` says
 * otherwise: unlike a fixed-size interval it may be looked at every day, and stopped at any time. Null before both have visitors.
 */
export function effectOf(control: Counted, variation: Counted, alpha = 0.05): Effect | null {
  if (control.visitors === 0 || variation.visitors === 0) return null
  const share = ({ visitors, reached }: Counted) => reached / visitors
  // One more of each outcome: without it, nobody having ordered yet would look like certainty.
  const variance = ({ visitors, reached }: Counted) => {
    const smooth = (reached + 1) / (visitors + 2)
    return (smooth * (1 - smooth)) / visitors
  }
  const rho2 = (2 * Math.log(1 / alpha) + Math.log(1 + 2 * Math.log(1 / alpha))) / tunedFor
  const n = control.visitors + variation.visitors
  const deviation = Math.sqrt(n * (variance(control) + variance(variation)))
  const width = deviation * Math.sqrt(((2 * (n * rho2 + 1)) / (n * n * rho2)) * Math.log(Math.sqrt(n * rho2 + 1) / alpha))
  const difference = share(variation) - share(control)
  return { difference, low: Math.max(-1, difference - width), high: Math.min(1, difference + width) }
}
