import { mailTemplate } from '#mail'

export interface ExperimentNotice {
  campaignId: number
  name: string
  /** The broken guardrail it was stopped for; null: its split is broken, and nothing was stopped. */
  stoppedBecause: string | null
}

/** For the operator, who writes one language. */
export const experimentNotice = mailTemplate<ExperimentNotice>('experiment-notice', {
  content: ({ campaignId, name, stoppedBecause }, { origin }) => ({
    subject: stoppedBecause === null ? `The split of the experiment ${name} is broken` : `The experiment ${name} was stopped`,
    preview: `Experiment ${campaignId}`,
    blocks: [
      {
        kind: 'text',
        text:
          stoppedBecause === null
            ? 'Its visitors are not split as planned, so its results mean nothing, and it is not stopped by itself if it does harm. It is still running.'
            : `${stoppedBecause}. Everybody sees the control again.`,
      },
      { kind: 'quiet', lines: [`Experiment ${campaignId}: ${name}`, origin] },
    ],
  }),
  example: () => ({ campaignId: 1, name: 'home-order', stoppedBecause: 'guides-first: more visitors left at once' }),
})

/** Previewed at /dev/mails. */
export const mails = [experimentNotice]
