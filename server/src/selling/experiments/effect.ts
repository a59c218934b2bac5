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
  const width = widthOf(control, variation, alpha)
  const difference = shareOf(variation) - shareOf(control)
  return { difference, low: Math.max(-1, difference - width), high: Math.min(1, difference + width) }
}

/** Standard deviations that a true effect has to exceed the interval by, to be found in four of five experiments. */
const fourOfFive = 0.8416

/**
 * The smallest true difference that is found at this number of visitors, in four of five experiments: the rarer what is counted,
 * the larger in relation to its share. Null before both have visitors. (decision 094)
 */
export function smallestFound(control: Counted, variation: Counted): number | null {
  if (control.visitors === 0 || variation.visitors === 0) return null
  return Math.min(1, widthOf(control, variation, 0.05) + fourOfFive * Math.sqrt(variance(control) + variance(variation)))
}

const shareOf = ({ visitors, reached }: Counted): number => reached / visitors

/** One more of each outcome: without it, nobody having ordered yet would look like certainty. */
function variance({ visitors, reached }: Counted): number {
  const smooth = (reached + 1) / (visitors + 2)
  return (smooth * (1 - smooth)) / visitors
}

/** Of the interval, to each side. */
function widthOf(control: Counted, variation: Counted, alpha: number): number {
  const rho2 = (2 * Math.log(1 / alpha) + Math.log(1 + 2 * Math.log(1 / alpha))) / tunedFor
  const n = control.visitors + variation.visitors
  const deviation = Math.sqrt(n * (variance(control) + variance(variation)))
  return deviation * Math.sqrt(((2 * (n * rho2 + 1)) / (n * n * rho2)) * Math.log(Math.sqrt(n * rho2 + 1) / alpha))
}
