/** In the browser: the published next-auth client, for `auth-clients.ts`. */
import { createElement, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { SessionProvider, getProviders, signIn, signOut, useSession } from 'next-auth/react'
import type { Harness } from './auth-clients.ts'

const harness: Harness = {
  history: [],
  session: null,
  providers: async () => Object.keys((await getProviders()) ?? {}),
  signIn: async (provider, callbackUrl) => {
    await signIn(provider, callbackUrl === undefined ? {} : { callbackUrl })
  },
  signOut: async () => (await signOut({ redirect: false })).url,
  leave: async (callbackUrl) => {
    await signOut({ callbackUrl })
  },
  update: async () => undefined,
}
window.harness = harness

function Probe(): ReactNode {
  const { data, status, update } = useSession({ required: location.search.includes('required') as false })
  if (harness.history.at(-1) !== status) harness.history.push(status)
  Object.assign(harness, { session: data, update })
  return createElement('output', null, status)
}

const root = document.body.appendChild(document.createElement('main'))
createRoot(root).render(createElement(SessionProvider, null, createElement(Probe)))
