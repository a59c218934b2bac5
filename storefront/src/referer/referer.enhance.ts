import { whenAllowed } from '../consent/browser-consent.ts'

/** Attributes the visit once the visitor has agreed to statistics. */
export function enhance(element: HTMLElement): void {
  whenAllowed('statistics', () => {
    void import('./referer.ts')
      .then(({ lookUpReferer }) => lookUpReferer())
      .then((info) => {
        if (info) element.dataset['channel'] = info.trackingChannel
      })
  })
}
