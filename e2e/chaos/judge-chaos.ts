import type { Violation } from '../violation.ts'
import type { Part } from './parts.ts'

/** How often a fault of one kind hit something, and how often it found nothing to hit. */
export interface Tries {
  hit: number
  missed: number
}

/** By the title of the fault. */
export type Injected = ReadonlyMap<string, Tries>

export function count(injected: Map<string, Tries>, title: string, isHit: boolean): void {
  const { hit, missed } = injected.get(title) ?? { hit: 0, missed: 0 }
  injected.set(title, isHit ? { hit: hit + 1, missed } : { hit, missed: missed + 1 })
}

/** Only what was hit is a fault. */
export function totals(injected: Injected): Tries {
  const all = [...injected.values()]
  return { hit: all.reduce((sum, { hit }) => sum + hit, 0), missed: all.reduce((sum, { missed }) => sum + missed, 0) }
}

/** A fault may find nothing to hit now and then; one that never does in so many tries is none. */
const enoughTries = 3
/** A run with fewer shows little: 200 in half an hour. */
const faultsPerMinute = 200 / 30

interface Run {
  minutes: number
  injected: Injected
  purchases: { begun: number; paid: readonly unknown[] }
}

/** The reasons for which a run shows too little, whatever it found. */
export function shortcomings({ minutes, injected, purchases: { begun, paid } }: Run): string[] {
  const { hit } = totals(injected)
  const never = [...injected].filter(([, tries]) => tries.hit === 0 && tries.missed >= enoughTries)
  return [
    ...never.map(([title, { missed }]) => `${title}: tried ${missed} times, and never hit anything`),
    ...(hit < faultsPerMinute * minutes ? [`only ${hit} faults in ${minutes} minutes`] : []),
    ...(paid.length * 2 > begun ? [] : [`only ${paid.length} of ${begun} purchases were paid`]),
  ]
}

/** The reasons not to begin: without them in sight, faults hit nothing and nothing is watched. */
export function notReady(missing: readonly Part[], found: readonly number[]): string[] {
  return [
    ...missing.map((part) => `no process of the kind ${part} is found`),
    ...(found.length > 0 && found.every((n) => n > 0) ? [] : [`the search finds ${found.join(', ')} products`]),
  ]
}

/** F17: the search finds again what it found before its index was damaged, or put back. */
export function judgeSearch(before: readonly number[], now: readonly number[]): Violation[] {
  const isSame = now.join() === before.join() && now.length > 0 && now.every((n) => n > 0)
  return isSame ? [] : [{ id: 'I9', what: `the search finds ${now.join(', ')} products, ${before.join(', ')} before` }]
}

export interface Health {
  /** Parts without a process. */
  missing: readonly Part[]
  /** Answers with 5xx after the last fault. */
  failed: readonly string[]
  /** Most handles of a web process. */
  handles: number
  handlesBefore: number
  /** Memory of each web process. */
  megabytes: readonly number[]
}

const maxMb = 450
const moreHandles = 100

export const areHandlesBack = ({ handles, handlesBefore }: Pick<Health, 'handles' | 'handlesBefore'>): boolean =>
  handlesBefore > 0 && handles > 0 && handles <= handlesBefore + moreHandles

/** I9: after the last fault all parts run, no answer is a 5xx, and handles and memory of the web processes are back. */
export function judgeHealth(health: Health): Violation[] {
  const { missing, failed, handles, handlesBefore, megabytes } = health
  return [
    ...missing.map((part) => `no process of the kind ${part} is found after the last fault`),
    ...failed,
    ...(areHandlesBack(health) ? [] : [`a web process holds ${handles} handles, ${handlesBefore} before`]),
    ...(megabytes.length === 0 ? ['the memory of no web process was seen'] : []),
    ...megabytes.filter((each) => each > maxMb).map((each) => `a web process takes ${Math.round(each)} MB`),
  ].map((what) => ({ id: 'I9', what }))
}
