import { browserConsent } from '../consent/browser-consent.ts'
import { callApi } from '../session/api-client.ts'
import { clientFlags, type ClientFlags } from './client-flags.ts'

export type TagState = 'initial' | 'loading' | 'loaded' | 'cancelled'

/** A tag that is absent for this long is given up; the page stays as it is. Source: spec §9, R-467, R-672. */
export const cancelAfterMs = 8000

/** The experiment tag: initial → loading → loaded, or cancelled when it is absent too long. */
export function startTag(
  load: () => Promise<ClientFlags>,
  show: (state: TagState) => void,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<ClientFlags | null> {
  show('initial')
  show('loading')
  const loaded = load().then((flags) => (flags.status === 'retrieved' ? flags : new Promise<never>(() => undefined)))
  return Promise.race([loaded, wait(cancelAfterMs).then(() => null)]).then((flags) => {
    show(flags ? 'loaded' : 'cancelled')
    return flags
  })
}

/** Reports that a visitor has seen the variation of the page, once it is in view. */
export async function followExperiment(element: HTMLElement): Promise<void> {
  const mark = element.matches('[data-experiment]') ? element : element.querySelector<HTMLElement>('[data-experiment]')
  if (!mark) return
  const flags = await startTag(clientFlags, (state) => (mark.dataset['tag'] = state))
  const { experiment = '', variation = '' } = mark.dataset
  if (!flags || flags.campaignVariations.length === 0) return
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    if (!browserConsent().allows('statistics')) return
    callApi('/api/v1/experiment-exposures', { body: [`${experiment}=${variation}`] }).catch(() => undefined)
  })
  // The part of the page after the mark is what differs; wrappers of scripts have no box of their own.
  let part = mark.closest('page-island')?.nextElementSibling ?? mark
  while (part.matches('page-island') && part.firstElementChild) part = part.firstElementChild
  observer.observe(part)
}
