export interface Result {
  /** The attempts, in numbers. */
  tried: string
  /** The claims that failed; empty if all held. */
  broken: readonly string[]
}

export interface Attack {
  /** Ids in docs/reliability.md, or of the review. */
  ids: string
  name: string
  /** The claim under test. */
  rule: string
}

export interface Round {
  attack: Attack
  result: Result
}

interface Outcome {
  seed: string
  minutes: number
  rounds: readonly Round[]
  visitors: { pages: number; failed: readonly string[] }
}

/** The run as Markdown: what was tried, what held and what did not. */
export function report({ seed, minutes, rounds, visitors }: Outcome): string {
  const attacks = [...new Set(rounds.map(({ attack }) => attack))]
  const broken = rounds.flatMap(({ attack, result }) => result.broken.map((what) => `${attack.ids} ${attack.name}: ${what}`))
  return [
    `# Attacks on a shop that others use`,
    ``,
    `Seed ${seed}, ${minutes} minutes, ${rounds.length} attacks, ${broken.length} of whose rules were broken.`,
    `Meanwhile ${visitors.pages} pages of other visitors were requested; ${visitors.failed.length} failed.`,
    ``,
    `| attack | rule | times | held | last tried |`,
    `| --- | --- | --- | --- | --- |`,
    ...attacks.map((attack) => {
      const own = rounds.filter((round) => round.attack === attack).map(({ result }) => result)
      const held = own.filter((result) => result.broken.length === 0).length
      return `| ${attack.ids}: ${attack.name} | ${attack.rule} | ${own.length} | ${held} | ${own.at(-1)?.tried} |`
    }),
    ``,
    ...(broken.length > 0 ? [`What did not hold:`, ``, ...broken.slice(0, 60).map((what) => `- ${what}`), ``] : []),
    ...(visitors.failed.length > 0
      ? [`Failed pages of other visitors:`, ``, ...visitors.failed.slice(0, 20).map((what) => `- ${what}`), ``]
      : []),
  ].join('\n')
}
