import { Enhance } from '@purlin/web/enhance.tsx'
import type { ReactNode } from 'react'

/** Loads the page anew after some seconds; without scripts the browser does, whatever the visitor is doing. */
export function LookAgain({ seconds }: { seconds: number }): ReactNode {
  return (
    <Enhance with="settings" when="load">
      <span hidden data-seconds={seconds} />
      <noscript>
        <meta httpEquiv="refresh" content={String(seconds)} />
      </noscript>
    </Enhance>
  )
}
