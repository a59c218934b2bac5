import { onceAllowed } from '../consent/when-allowed.ts'

/** Attributes the visit once the visitor has agreed to statistics. */
export function enhance(element: HTMLElement): void {
  onceAllowed('statistics', () => {
    void import('./referer.ts')
      .then(({ lookUpReferer }) => lookUpReferer())
      .then((info) => {
        if (info) element.dataset['channel'] = info.trackingChannel
      })
  })
}
