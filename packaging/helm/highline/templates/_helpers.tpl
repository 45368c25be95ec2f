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

{{/* MB of the largest firmware image. */}}
{{- define "highline.firmwareMb" -}}
{{- .Values.settings.FIRMWARE_MAX_MB | default 256 | toString -}}
{{- end -}}

{{/* MB of a quantity of Kubernetes. */}}
{{- define "highline.megabytes" -}}
{{- $units := dict "" 1.0 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1.099511627776e12 "Pi" 1.125899906842624e15 "Ei" 1.152921504606847e18 -}}
{{- divf (mulf (regexFind "^[0-9.]+" .) (get $units (regexFind "[a-zA-Z]*$" .))) 1048576.0 -}}
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
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "highline.volumes" -}}
- name: tmp
  emptyDir: {}
{{- if .Values.files.existing }}
- name: files
  secret: { secretName: {{ .Values.files.existing }} }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
