import { Enhance } from '@purlin/web/enhance.tsx'
import type { ReactNode } from 'react'

/** Loads the page anew, or another address, after some seconds; without scripts the browser does, whatever the visitor is doing. */
export function LookAgain({ seconds, at }: { seconds: number; at?: string }): ReactNode {
  return (
    <Enhance with="settings" when="load">
      <span hidden data-seconds={seconds} data-at={at} />
      <noscript>
        <meta httpEquiv="refresh" content={at === undefined ? String(seconds) : `${seconds};url=${at}`} />
      </noscript>
    </Enhance>
  )
}
