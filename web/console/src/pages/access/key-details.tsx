/** One key: its limits, its use, and its revocation. */
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { api, type Schema, taken } from '../../app/api.ts';
import { useFormat, useTexts } from '../../app/language.ts';
import { useSession } from '../../app/session.ts';
import { Fields } from '../../components/fields.tsx';
import { useAction } from '../../components/use-action.ts';
import { useConfirm } from '../../components/use-confirm.tsx';

const KeyUse = lazy(() => import('./key-use.tsx'));

export function KeyDetails({ apiKey }: { apiKey: Schema['ApiKey'] }) {
  const { access } = useTexts();
  const format = useFormat();
  const confirm = useConfirm();
  const { can } = useSession();
  const { key_id, name, revoked_at } = apiKey;
  const revoke = useAction({
    run: () => taken(api.POST('/admin/api/api-keys/{key_id}/revoke', { params: { path: { key_id } } })),
    done: access.keyRevoked,
    touches: [['keys']],
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Badge color={revoked_at === null ? 'teal' : 'gray'}>
          {revoked_at === null ? access.active : access.revoked}
        </Badge>
        {can('write') && revoked_at === null && (
          <Button
            color="red"
            variant="light"
            loading={revoke.isPending}
            onClick={() =>
              confirm({
                title: access.revokeTitle(name),
                text: access.revokeText,
                act: access.revoke,
                onConfirm: () => revoke.mutate(),
              })
            }
          >
            {access.revoke}
          </Button>
        )}
      </Group>
      <Fields
        of={[
          [access.number, key_id],
          [access.prefix, `${apiKey.prefix}…`],
          [access.owner, apiKey.owner_email],
          [access.corpora, apiKey.corpus_ids.join(', ') || access.allCorpora],
          [access.perMinute, format.number(apiKey.rate_limit_rpm)],
          [access.perHour, format.number(apiKey.rate_limit_rph)],
          [access.created, `${format.moment(apiKey.created_at)} · ${apiKey.created_by}`],
          [access.revokedAt, revoked_at && `${format.moment(revoked_at)} · ${apiKey.revoked_by}`],
          [access.requests, format.number(apiKey.request_count)],
          [access.lastUsed, format.moment(apiKey.last_used_at)],
        ]}
      />
      <Suspense fallback={<Skeleton h={160} />}>
        <KeyUse keyId={key_id} />
      </Suspense>
      <Text size="sm">
        <Link to="/questions" search={{ key_id }}>
          {access.itsQuestions}
        </Link>
      </Text>
    </Stack>
  );
}
