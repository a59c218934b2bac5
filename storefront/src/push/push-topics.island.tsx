import { Alert, Button, Check } from '@purlin/ui'
import type { IslandWords } from '@purlin/web/island.tsx'
import type { Messages } from '@purlin/words/catalogues.ts'
import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { browserConsent } from '../consent/browser-consent.ts'
import { endPush } from './end-push.ts'
import { pushTopics, subscribeBrowser, topicsOfBrowser, type PushTopic } from './subscribe-browser.ts'

interface PushTopicsProps extends IslandWords<Messages> {
  privacyHref: string
  className: string
}

const labels = {
  orders: 'push.topics.orders',
  prices: 'push.topics.prices',
  baskets: 'push.topics.baskets',
  offers: 'push.topics.offers',
} as const

type State = 'loading' | 'ready' | 'saving' | 'saved' | 'failed' | 'unsupported' | 'consent'

/** Chooses what this browser shows messages about; none ends the subscription. Subscribing needs the browser's script anyway. */
export function PushTopics({ t, privacyHref, className }: PushTopicsProps): ReactNode {
  const [state, setState] = useState<State>('loading')
  const [topics, setTopics] = useState<readonly PushTopic[]>([])
  useEffect(() => {
    void known().then(({ state: found, topics: chosen }) => {
      setTopics(chosen)
      setState(found)
    })
  }, [])
  const choose = (topic: PushTopic, isChosen: boolean) => {
    setTopics(pushTopics.filter((one) => (one === topic ? isChosen : topics.includes(one))))
    setState('ready')
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setState('saving')
    const kept = topics.length === 0 ? (await endPush()) && [] : await subscribeBrowser(topics).catch(() => null)
    if (kept) setTopics(kept)
    setState(kept ? 'saved' : 'failed')
  }
  const isClosed = state === 'loading' || state === 'unsupported' || state === 'consent'
  return (
    <form className={className} onSubmit={(event) => void save(event)}>
      <h2>{t('push.topics.title')}</h2>
      <p>{t('push.topics.text')}</p>
      {state === 'unsupported' && <p>{t('push.topics.unsupported')}</p>}
      {state === 'consent' && (
        <p>
          <a href={privacyHref}>{t('push.topics.consent')}</a>
        </p>
      )}
      {state === 'failed' && (
        <Alert severity="danger" announces>
          {t('push.topics.failed')}
        </Alert>
      )}
      {pushTopics.map((topic) => (
        <Check
          key={topic}
          name={`push-${topic}`}
          label={t(labels[topic])}
          disabled={isClosed}
          checked={topics.includes(topic)}
          onChange={(event) => choose(topic, event.target.checked)}
        />
      ))}
      <p>
        <Button disabled={isClosed || state === 'saving'}>{t('settings.save')}</Button>
      </p>
      <p role="status">{state === 'saved' && t('push.topics.saved')}</p>
    </form>
  )
}

/** What this browser is subscribed to, or the reason why it cannot be. */
async function known(): Promise<{ state: State; topics: readonly PushTopic[] }> {
  if (!('PushManager' in window)) return { state: 'unsupported', topics: [] }
  if (!browserConsent().allows('userPreferences')) return { state: 'consent', topics: [] }
  return { state: 'ready', topics: await topicsOfBrowser().catch(() => []) }
}
