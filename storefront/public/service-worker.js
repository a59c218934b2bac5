/**
 * The shop's service worker: shows push messages and opens their page; without a connection it shows a page that says so, with the
 * basket as last seen. Registered with the first product in the basket or the first push message (decision 061).
 */
const offlinePage = '/offline'
const basketPage = '/offline/basket'
const dayMs = 86_400_000

self.addEventListener('install', (event) => {
  void self.skipWaiting()
  event.waitUntil(storeOfflinePage())
})

self.addEventListener('activate', (event) => {
  // Without preloading, every page would wait for this worker to start. Open pages are not claimed: a navigation under way would lose
  // its transition.
  event.waitUntil(self.registration.navigationPreload?.enable())
})

self.addEventListener('message', (event) => {
  if (event.data === 'basket') event.waitUntil(storeBasket())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  // The next person at this device has a basket of their own.
  if (pathname === '/api/v1/logout' || pathname.endsWith('/signout')) event.waitUntil(caches.delete('offline-basket'))
  if (request.mode !== 'navigate' || request.method !== 'GET') return
  // Calls have no offline page, but each is taken from its preload: the browser would request it again, and redeem the code of a
  // sign-in twice.
  event.respondWith(pathname.startsWith('/api/') ? take(event) : navigate(event, pathname))
})

async function take(event) {
  return (await event.preloadResponse) ?? fetch(event.request)
}

async function navigate(event, pathname) {
  try {
    const response = await take(event)
    if (pathname === '/cart') event.waitUntil(storeBasket())
    return response
  } catch (error) {
    const [page, basket] = await Promise.all([caches.match(offlinePage), caches.match(basketPage)])
    if (!page) throw error
    const section = /<section data-offline-basket[^]*?<\/section>/.exec((await basket?.text()) ?? '')?.[0] ?? ''
    const html = (await page.text()).replace('<div id="offline-basket"></div>', () => section)
    return new Response(html, { status: 503, headers: page.headers })
  }
}

/** The page, at most once a day; its style sheet stays in the browser's own cache for as long. */
async function storeOfflinePage() {
  const cache = await caches.open('offline-page')
  const stored = await cache.match(offlinePage)
  if (Date.parse(stored?.headers.get('date') ?? '') > Date.now() - dayMs) return
  const response = await fetch(offlinePage)
  if (response.ok) await cache.put(offlinePage, response)
}

async function storeBasket() {
  const cache = await caches.open('offline-basket')
  const response = await fetch(basketPage, { credentials: 'same-origin' })
  if (response.ok) await cache.put(basketPage, response)
  await storeOfflinePage()
}

self.addEventListener('push', (event) => {
  const { title, body, url } = event.data?.json() ?? {}
  if (typeof title !== 'string') return
  event.waitUntil(self.registration.showNotification(title, { body, icon: '/favicon.svg', data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin)
  if (url.origin === self.location.origin) event.waitUntil(self.clients.openWindow(url.href))
})
