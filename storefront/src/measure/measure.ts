import { browserConsent } from '../consent/browser-consent.ts'
import { collector } from './collector.ts'
import { arrival } from '../referer/referer.ts'
import { pageFlag } from '../shell/flags.ts'
import { followDataLayer, say, type AddedToCart } from './data-layer.ts'
import { sayPageView, watchRestoredPages } from './page-views.ts'
import { continueVisit } from './visit.ts'
import { proEvents } from './pro-events.ts'
import { watchRecommendations } from './recommendations.ts'
import { watchVitals } from './vitals.ts'

/**
 * Everything done under consent to statistics; loaded only with it. What was said before the entry
 * `from` of the data layer was said without consent.
 */
export function measure(from: number): void {
  continueVisit()
  followDataLayer([collector, proEvents], from)
  watchVitals(() => browserConsent().allows('statistics'))
  watchRestoredPages()
  // Off unless an operator wants it, so that other shops need not load it.
  if (pageFlag('csideEnabled'))
    void import('./foreign-scripts.ts').then(({ watchForeignScripts }) => watchForeignScripts()).catch(() => undefined)
  document.addEventListener('shop:added', (event) => say({ event: 'add_to_cart', ...(event as CustomEvent<AddedToCart>).detail }))
  watchRecommendations()
  void sayPageView(arrival())
}
