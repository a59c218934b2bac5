/**
 * Enough of PromQL to evaluate the alert rules and the dashboard on the text that /metrics returns: selectors, `rate`, `sum`, `max`,
 * `histogram_quantile`, `absent`, comparisons, `/` and `or`, with the semantics of Prometheus, extrapolation included.
 */
type Labels = Record<string, string>
export interface Sample {
  labels: Labels
  value: number
}

/** One scrape: its time in seconds and the text received; null if nobody answered. */
export interface Scrape {
  at: number
  text: string | null
}

interface Series {
  name: string
  labels: Labels
  /** By the index of the scrape. */
  values: Map<number, number>
}

/** All series of a sequence of scrapes of job "purlin". */
export function seriesOf(scrapes: readonly Scrape[]): Series[] {
  const all = new Map<string, Series>()
  scrapes.forEach(({ text }, index) => {
    for (const line of [`up ${text === null ? 0 : 1}`, ...(text ?? '').split('\n')]) {
      const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
      if (name === undefined || value === undefined) continue
      const key = `${name}{${labels}}`
      const series = all.get(key) ?? { name, labels: { ...labelsOf(labels), job: 'purlin' }, values: new Map() }
      series.values.set(index, Number(value.replace('Inf', 'Infinity')))
      all.set(key, series)
    }
  })
  return [...all.values()]
}

function labelsOf(text: string): Labels {
  return Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]))
}

type Value = number | Sample[]
type Expression = (index: number) => Value

/** Compiles an expression over these scrapes; the result takes the index of the scrape at whose time it is evaluated. */
export function compile(text: string, scrapes: readonly Scrape[], all = seriesOf(scrapes)): Expression {
  const tokens = text.match(/"[^"]*"|\d+(?:\.\d+)?(?:e\d+)?[smh]?|[a-z_]\w*|[!=]~|[!=<>]=|\S/gi) ?? []
  let at = 0
  const peek = () => tokens[at]
  const take = (expected?: string): string => {
    const token = tokens[at++]
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`${text}: expected ${expected ?? 'more'}, found ${token ?? 'the end'}`)
    return token
  }
  const taken = (token: string) => peek() === token && Boolean(take())

  function either(): Expression {
    const left = comparison()
    if (!taken('or')) return left
    const right = either()
    return (index) => {
      const [first, second] = [vector(left(index)), vector(right(index))]
      const known = new Set(first.map(keyOf))
      return [...first, ...second.filter((sample) => !known.has(keyOf(sample)))]
    }
  }

  function comparison(): Expression {
    const left = quotient()
    const holds = comparisons[peek() ?? '']
    if (!holds) return left
    take()
    const right = quotient()
    return (index) => {
      const bound = right(index)
      if (typeof bound !== 'number') throw new Error(`${text}: compares with numbers only`)
      return vector(left(index)).filter(({ value }) => holds(value, bound))
    }
  }

  function quotient(): Expression {
    const left = operand()
    if (!taken('/')) return left
    const right = operand()
    return (index) => {
      const below = new Map(vector(right(index)).map((sample) => [keyOf(sample), sample.value]))
      return vector(left(index)).flatMap((sample) => {
        const divisor = below.get(keyOf(sample))
        return divisor === undefined ? [] : [{ ...sample, value: sample.value / divisor }]
      })
    }
  }

  function operand(): Expression {
    if (taken('(')) {
      const inner = either()
      take(')')
      return inner
    }
    const name = take()
    if (/^\d/.test(name)) return () => Number(name)
    if (name === 'sum' || name === 'max')
      return aggregation(name === 'sum' ? (values) => values.reduce((sum, value) => sum + value, 0) : (values) => Math.max(...values))
    if (name === 'rate') return rate()
    if (name === 'absent') {
      const inner = inParentheses()
      return (index) => (vector(inner(index)).length > 0 ? [] : [{ labels: {}, value: 1 }])
    }
    if (name === 'histogram_quantile') {
      take('(')
      const quantile = Number(take())
      take(',')
      const inner = either()
      take(')')
      return (index) => quantiles(quantile, vector(inner(index)))
    }
    const matching = selector(name)
    return (index) =>
      matching().flatMap(({ name: metric, labels, values }) => {
        const value = values.get(index)
        return value === undefined ? [] : [{ labels: { __name__: metric, ...labels }, value }]
      })
  }

  function inParentheses(): Expression {
    take('(')
    const inner = either()
    take(')')
    return inner
  }

  function aggregation(combine: (values: number[]) => number): Expression {
    const by: string[] = []
    if (taken('by')) {
      take('(')
      do by.push(take())
      while (taken(','))
      take(')')
    }
    const inner = inParentheses()
    return (index) => {
      const groups = Map.groupBy(vector(inner(index)), ({ labels }) => JSON.stringify(by.map((name) => [name, labels[name] ?? ''])))
      return [...groups].map(([key, samples]) => ({
        labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
        value: combine(samples.map(({ value }) => value)),
      }))
    }
  }

  function selector(name: string): () => Series[] {
    const matchers: ((labels: Labels) => boolean)[] = []
    if (taken('{')) {
      do {
        const label = take()
        const operator = take()
        const wanted = take().slice(1, -1)
        const holds = operator.endsWith('~')
          ? (value: string) => new RegExp(`^(?:${wanted})$`).test(value)
          : (value: string) => value === wanted
        matchers.push((labels) => holds(labels[label] ?? '') !== operator.startsWith('!'))
      } while (taken(','))
      take('}')
    }
    return () => all.filter((series) => series.name === name && matchers.every((matches) => matches(series.labels)))
  }

  function rate(): Expression {
    take('(')
    const matching = selector(take())
    take('[')
    const rangeSeconds = secondsOf(take())
    take(']')
    take(')')
    return (index) => {
      const end = scrapes[index]?.at ?? 0
      return matching().flatMap(({ labels, values }) => {
        const points = [...values].flatMap(([each, value]) => {
          const time = scrapes[each]?.at ?? 0
          return each <= index && time > end - rangeSeconds ? [{ at: time, value }] : []
        })
        const value = extrapolatedRate(points, end - rangeSeconds, end)
        return value === null ? [] : [{ labels, value }]
      })
    }
  }

  const expression = either()
  if (at < tokens.length) throw new Error(`${text}: unexpected ${peek()}`)
  return expression
}

const comparisons: Record<string, (left: number, right: number) => boolean> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '==': (left, right) => left === right,
}

function vector(value: Value): Sample[] {
  if (typeof value === 'number') throw new Error('expected a vector')
  return value
}

function keyOf({ labels }: Sample): string {
  return JSON.stringify(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function secondsOf(duration: string): number {
  return Number.parseInt(duration, 10) * ({ s: 1, m: 60, h: 3600 }[duration.at(-1) ?? ''] ?? Number.NaN)
}

/** As Prometheus computes it: resets count from zero, and the edges of the range are extrapolated, but not far and not below zero. */
function extrapolatedRate(points: readonly { at: number; value: number }[], start: number, end: number): number | null {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || first === last) return null
  const increase = points.slice(1).reduce((sum, { value }, index) => {
    const before = points[index]?.value ?? 0
    return sum + (value < before ? value : value - before)
  }, 0)
  const sampled = last.at - first.at
  const between = sampled / (points.length - 1)
  const toZero = increase > 0 ? sampled * (first.value / increase) : Number.POSITIVE_INFINITY
  const edge = (distance: number) => (distance < between * 1.1 ? distance : between / 2)
  const extrapolated = sampled + Math.min(edge(first.at - start), toZero) + edge(end - last.at)
  return (increase * extrapolated) / sampled / (end - start)
}

function quantiles(quantile: number, buckets: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(buckets, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  return [...groups].map(([key, samples]) => {
    const sorted = samples
      .map(({ labels, value }) => ({ bound: Number((labels['le'] ?? '').replace('+Inf', 'Infinity')), count: value }))
      .sort((one, other) => one.bound - other.bound)
    const rank = quantile * (sorted.at(-1)?.count ?? 0)
    const index = sorted.findIndex(({ count }) => count >= rank)
    const found = sorted[index]
    const before = sorted[index - 1] ?? { bound: 0, count: 0 }
    // Beyond the last bound nothing is known: Prometheus answers with that bound.
    const value =
      !found || rank === 0
        ? Number.NaN
        : found.bound === Number.POSITIVE_INFINITY
          ? before.bound
          : before.bound + ((found.bound - before.bound) * (rank - before.count)) / (found.count - before.count)
    return { labels: JSON.parse(key) as Labels, value }
  })
}
