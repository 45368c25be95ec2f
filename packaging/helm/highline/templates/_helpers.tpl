{{- define "highline.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "highline.selector" -}}
app.kubernetes.io/name: highline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "highline.labels" -}}
{{ include "highline.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "highline.secret" -}}
{{- if .Values.secrets.existing -}}
{{- .Values.secrets.existing -}}
{{- else -}}
{{- include "highline.name" . -}}
{{- end -}}
{{- end -}}

{{- define "highline.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Environment of the server and of commands. */}}
{{- define "highline.env" -}}
envFrom:
  - configMapRef: { name: {{ include "highline.name" . }} }
  - secretRef: { name: {{ include "highline.secret" . }} }
{{- end -}}

{{/* Runs without rights; only the data folder and /tmp can be written. */}}
{{- define "highline.security" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "highline.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "highline.mounts" -}}
volumeMounts:
  - { name: data, mountPath: /var/lib/highline }
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.files.existing }}
  - { name: files, mountPath: /etc/highline, readOnly: true }
  {{- end }}
{{- end -}}

{{- define "highline.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if .Values.files.existing }}
- name: files
  secret: { secretName: {{ .Values.files.existing }} }
{{- end }}
{{- end -}}
