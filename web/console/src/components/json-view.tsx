/** Shows any JSON value returned by the service. */
import { Code } from '@mantine/core';

export function JsonView({ value }: { value: unknown }) {
  return (
    <Code block className="words" fz="xs">
      {JSON.stringify(value, null, 2)}
    </Code>
  );
}
