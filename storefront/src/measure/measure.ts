import { isCrawler } from '@purlin/contract/crawlers.ts'
import { browserConsent, visitorId } from '../consent/browser-consent.ts'
import { collector } from './collector.ts'
import { pageFlag } from '../shell/flags.ts'
import { addAdapter, say } from './data-layer.ts'
import { sayPageView, watchRestoredPages } from './page-views.ts'
import { continueVisit } from './visit.ts'
import { watchForeignScripts } from './foreign-scripts.ts'
import { proEvents } from './pro-events.ts'
import { watchVitals } from './vitals.ts'

/** Everything done under consent to statistics; loaded only with it. Crawlers are not visitors. */
export function measure(): void {
  if (isCrawler(navigator.userAgent)) return
  // Stores the id again if the browser has lost it.
  visitorId()
  continueVisit()
  addAdapter(collector)
  addAdapter(proEvents)
  watchVitals(() => browserConsent().allows('statistics'))
  watchRestoredPages()
  if (pageFlag('csideEnabled')) watchForeignScripts()
  document.addEventListener('shop:cart-grow', (event) => {
    const quantity = (event as CustomEvent<number>).detail
    if (quantity > 0) say({ event: 'add_to_cart', quantity })
  })
  void sayPageView()
}
