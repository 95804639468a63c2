{{- define "reticent.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "reticent.labels" -}}
{app.kubernetes.io/name: {{ .Chart.Name }}, app.kubernetes.io/instance: {{ .Release.Name | quote }}}
{{- end }}

{{- define "reticent.configMap" -}}
{{ .Values.existingConfigMap | default (include "reticent.name" .) }}
{{- end }}

{{- define "reticent.port" -}}
{{ .Values.settings.port | default 8080 | int }}
{{- end }}

{{- define "reticent.metricsPort" -}}
{{ .Values.settings.metrics_port | default 9464 | int }}
{{- end }}

{{- define "reticent.graceSeconds" -}}
{{- $limits := .Values.settings.limits | default dict -}}
{{ add .Values.preStopSeconds ($limits.drain_seconds | default 30 | int) 10 }}
{{- end }}

{{- define "reticent.scheme" -}}
{{- if .Values.settings.tls }}, scheme: HTTPS{{ end }}
{{- end }}

{{/* The settings without those that are null. */}}
{{- define "reticent.settings" -}}
{{- $given := dict }}
{{- range $name, $value := .Values.settings }}
{{- if not (kindIs "invalid" $value) }}{{ $_ := set $given $name $value }}{{ end }}
{{- end }}
{{- toYaml $given }}
{{- end }}

{{/* The Secrets whose folders the settings name. */}}
{{- define "reticent.secretFiles" -}}
{{- $named := list }}
{{- $settings := include "reticent.settings" . }}
{{- range .Values.secretFiles }}
{{- if contains .path $settings }}{{ $named = append $named . }}{{ end }}
{{- end }}
{{- toJson $named }}
{{- end }}

{{/* A variable in the place of a key, or an error that does not repeat the key. */}}
{{- define "reticent.isVariable" -}}
{{- if not (regexMatch "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" (toString .value)) }}
{{- fail (printf "%s has to be a variable such as ${NAME}: keys stand in a Secret (secretEnv), not in values." .place) }}
{{- end }}
{{- end }}

{{/* Ends with an error where a key stands in the settings or files, a variable that nothing gives, or bounds that cross. */}}
{{- define "reticent.check" -}}
{{- $settings := .Values.settings }}
{{- range $place, $each := $settings.keys }}
{{- include "reticent.isVariable" (dict "value" $each.key "place" (printf "settings.keys[%d].key" $place)) }}
{{- end }}
{{- with ($settings.upstream | default dict).api_key }}
{{- include "reticent.isVariable" (dict "value" . "place" "settings.upstream.api_key") }}
{{- end }}
{{- with ($settings.canary | default dict).value }}
{{- include "reticent.isVariable" (dict "value" . "place" "settings.canary.value") }}
{{- end }}
{{- range $name, $policy := $settings.policies }}
{{- if kindIs "map" $policy }}{{- with $policy.list_key }}
{{- include "reticent.isVariable" (dict "value" . "place" (printf "settings.policies.%s.list_key" $name)) }}
{{- end }}{{- end }}
{{- end }}
{{- range $name, $text := .Values.files }}
{{- if regexMatch "list_key[\"']?\\s*:" $text }}
{{- fail (printf "files has a list_key in %s, where it cannot be a variable: write that policy under settings.policies with a variable of secretEnv, or mount its file from a Secret (secretFiles)." $name) }}
{{- end }}
{{- end }}
{{- $given := list }}
{{- range .Values.secretEnv }}{{ $given = append $given .name }}{{ end }}
{{- $text := $settings | toYaml | replace "$$" "" }}
{{- range regexFindAll "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}" $text -1 }}
{{- $name := . | trimPrefix "${" | trimSuffix "}" }}
{{- if not (has $name $given) }}
{{- fail (printf "The settings name ${%s}, which no entry of secretEnv gives." $name) }}
{{- end }}
{{- end }}
{{- $by := .Values.autoscaling }}
{{- if and (ne $by.by "none") (gt (int $by.minReplicas) (int $by.maxReplicas)) }}
{{- fail (printf "autoscaling.minReplicas (%v) is more than autoscaling.maxReplicas (%v)." $by.minReplicas $by.maxReplicas) }}
{{- end }}
{{- end }}
