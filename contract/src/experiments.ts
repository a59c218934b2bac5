import type { Market, Mode } from './markets.ts'

/** CHANNEL of the experimentation service: pages are the web, native programs of the shop are the app. Source: spec §7, R-563. */
export const experimentChannels = ['web', 'app'] as const
type ExperimentChannel = (typeof experimentChannels)[number]

/** Assignment of visitors to variations: the same for the same unit everywhere, without a stored list. Source: spec §7, R-562…R-564. */
export interface Experiment {
  campaignId: number
  /** The name pages declare. */
  name: string
  /** `flag`: of a page's content; `aa`: both variations are the same, to check the machinery. */
  type: 'ab' | 'aa'
  /** Of the experiments in a layer a visitor takes part in one at most. */
  layer: string
  /** Slots of the layer that belong to this experiment: from, up to but not including until, of 1,000. */
  slots: readonly [from: number, until: number]
  markets: readonly Market[]
  modes: readonly Mode[]
  /** Those of an earlier release name none: every channel. */
  channels?: readonly ExperimentChannel[]
  /** Customer segments, any of which takes part; empty: everybody. */
  segments: readonly string[]
  /** The first is the control. */
  variations: readonly { id: number; name: string; weight: number }[]
}

export interface Participant {
  /** The visitor id, or what stands for a customer over all devices. */
  unit: string
  market: Market
  mode: Mode
  /** The web, unless said otherwise. */
  channel?: ExperimentChannel
  segments?: readonly string[]
  /** Experiments for segments, any of which the participant is known to be in. */
  audiences?: readonly number[]
}

/** Of signed-in customers: the assignments they have on every device, signed by the server. */
export const experimentsCookie = 'mm_experiments'

export interface Assignment {
  experiment: Experiment
  variation: Experiment['variations'][number]
}

export const layerSlots = 1000

/** Experiments this participant takes part in, and the variation of each. */
export function assignmentsOf(experiments: readonly Experiment[], participant: Participant): Assignment[] {
  return experiments.flatMap((experiment) => {
    const variation = isTargeted(experiment, participant) ? variationOf(experiment, participant.unit) : null
    return variation ? [{ experiment, variation }] : []
  })
}

export function isTargeted(
  { campaignId, markets, modes, channels = experimentChannels, segments }: Experiment,
  { market, mode, channel = 'web', segments: held = [], audiences = [] }: Omit<Participant, 'unit'>,
): boolean {
  if (!markets.includes(market) || !modes.includes(mode) || !channels.includes(channel)) return false
  return segments.length === 0 || audiences.includes(campaignId) || segments.some((segment) => held.includes(segment))
}

/** The slot is drawn per layer and the variation per experiment, so that one says nothing about the other. */
function variationOf({ layer, slots: [from, until], campaignId, variations }: Experiment, unit: string): Assignment['variation'] | null {
  const slot = Math.floor(share(`layer:${layer}:${unit}`) * layerSlots)
  if (slot < from || slot >= until) return null
  const total = variations.reduce((sum, { weight }) => sum + weight, 0)
  let point = share(`campaign:${campaignId}:${unit}`) * total
  return variations.find(({ weight }) => (point -= weight) < 0) ?? variations.at(-1) ?? null
}

/** A number from 0 up to 1, evenly spread: MurmurHash3 (x86, 32 bits) of the text's UTF-16 units. */
function share(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    let block = Math.imul(text.charCodeAt(at), 0xcc9e2d51)
    block = (block << 15) | (block >>> 17)
    hash ^= Math.imul(block, 0x1b873593)
    hash = (hash << 13) | (hash >>> 19)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  hash ^= text.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
