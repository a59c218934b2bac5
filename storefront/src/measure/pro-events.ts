import { visitorId } from '../consent/browser-consent.ts'
import { callApi } from '../session/api-client.ts'
import { authState } from '../session/auth-state.ts'
import { pageFacts } from '../session/page-facts.ts'
import type { Adapter } from './data-layer.ts'

/** Tells the services for professionals which product a signed-in customer looks at. (R-571…R-574) */
export const proEvents: Adapter = {
  purpose: 'statistics',
  take(event) {
    if (event.event !== 'page_view') return
    const { isAuthenticated, userId } = authState()
    const productId = event.pageViewCustomData['productId']
    if (!isAuthenticated || productId === undefined) return
    const { market, mode } = pageFacts()
    const content = { product_id: productId, category_id: event.pageCustomData['categoryId'] ?? null }
    const view = { market, platform_id: mode, channel: 'website', event: 'pageview-product', content }
    const body = [{ ...view, visitor_id: visitorId(), customer_id: userId }]
    callApi('/api/v1/pro-event/event', { body }).catch(() => undefined)
  },
}
